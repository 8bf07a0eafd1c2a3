"""The engine: one object that ties the parts together; each part is a module of functions."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import Any

from mlapath.engine import (
    annotations as notes,
)
from mlapath.engine import (
    attr_writes,
    attrs,
    containers,
    dict_ops,
    expr,
    fork,
    forks_api,
    functions,
    generators,
    guards,
    hints,
    importer,
    items,
    iteration,
    keys,
    klass,
    lazy,
    loops,
    managers,
    matching,
    membership,
    metaclass,
    namespaces,
    opaque,
    ops,
    origins,
    raising,
    regions,
    special,
    stmt,
    trycatch,
    typing_,
)
from mlapath.engine import (
    call as calls,
)
from mlapath.engine import (
    compare as comparison,
)
from mlapath.engine.budget import Budget
from mlapath.engine.certainty import Way
from mlapath.engine.control import Frame, Try
from mlapath.engine.effects import Effects
from mlapath.engine.recursion import Activation
from mlapath.engine.trace import Trace
from mlapath.ir import nodes as n
from mlapath.values.heap import Heap
from mlapath.values.join import union
from mlapath.values.objects import ClassObj, ModuleObj
from mlapath.values.value import V

LEFT_BEHIND = 200_000
"""Objects made since the last collection; an evaluation makes a million."""
STACK_BYTES = 512 * 1024 * 1024
RECURSION = 60_000
FRAMES = (1 << 20) + 1
"""Words of a frame for which CPython maps 16 MB, half of them for the frames of its callees."""

EXEC: dict[type, Any] = {
    **stmt.SIMPLE, **loops.LOOPS, **trycatch.TRIES, **klass.CLASSES, **importer.IMPORTS,
    **matching.MATCHES, **managers.MANAGERS,
}  # fmt: skip


class Engine:
    """An abstract interpreter over one program (a tree and its companions).

    program: finds and loads modules (``find``, ``load``, ``lines``, ``root``, ``unreadable``).
    models: summaries of code outside the tree.
    facts: what the scenario says of packages and compiled modules.
    """

    def __init__(
        self, program: Any, models: Any, facts: Any, budget: Budget | None = None
    ) -> None:
        self.program = program
        self.models = models
        self.facts = facts
        self.budget = budget or Budget()
        self.heap = Heap()
        self.trace = Trace()
        self.modules: dict[str, ModuleObj] = {}
        self.exec_table = EXEC
        self.assumed = self.heap.cell()
        self.patched = self.heap.cell()  # attributes that the program sets on external symbols
        self.loaded = self.heap.cell()  # modules that were imported
        self.imports: dict[str, Effects] = {}  # of those imported under an unknown guard
        self.tries: list[Try] = []
        self.quiet = 0  # tries up to here do not ask for what code not looked into may raise
        self.subjects: tuple[Any, ...] = ()  # objects that the question is about
        self.rounds: Any = None  # the rounds of a loop that are being evaluated as one
        self.caught: Any = None  # what ``attempt`` caught last
        self.hooks: dict[str, Any] = dict(models.hooks)
        self.kinds: dict[type, ClassObj] = {}
        self.active: dict[int, list[Activation]] = {}  # open calls, by the function's node
        self.raises: dict[Any, Any] = {}  # exception object -> where it was raised last
        self.symbols: dict[str, V | None] = {}
        self.store: dict[str, Any] = {}  # per-evaluation state of summaries, by name
        self.observed: frozenset[str] = frozenset()  # names of functions whose results are kept
        self.missing: Any = None  # the AttributeError of the last property that lacked its value
        self.depth = 0
        self.maybe = 0
        self.way = Way()
        self.region = ""  # who runs the code at hand: see engine.regions
        self.compiled: dict[str, list[tuple[Any, bool]]] = {}  # functions -> receiver, fullgraph
        self.made: set[ClassObj] = set()  # classes that have or had instances, with their bases
        self.direct = False  # calls of compiled modules go straight to what was compiled
        self.object_class: Any = None
        root = ModuleObj("<drivers>", self.heap.cell())
        root.ns["__package__"] = V("")
        self.frame = Frame(root, self.heap.cell())
        self.builtins: dict[str, V] = models.builtins(self)

    def eval(self, fr: Frame, e: Any) -> V:
        """The value of an expression."""
        result: V = expr.EVAL[type(e)](self, fr, e)
        return result

    # attributes and calls
    find_attr = attrs.find
    getattr = special.get_attr
    setattr = attr_writes.set_attr
    delattr = attr_writes.del_attr
    bind = attrs.bind
    lookup_special = special.lookup_special
    call_getattr = special.call_getattr
    lacking = special.lacking
    cached_property = special.cached_property
    instance_dict = special.instance_dict
    namespace = namespaces.namespace
    object_attr = special.object_attr
    class_special = special.class_special
    super_special = special.super_special
    function_attr = special.function_attr
    native_attr = special.native_attr
    module_attr = importer.module_attr
    call = calls.call
    each = calls.each
    run_generator = calls.run_generator
    compile_function = regions.compiled
    region_inside = regions.inside
    in_operator = regions.in_operator
    instantiate = klass.instantiate
    type_call = klass.type_call
    initialise = klass.initialise
    new_instance = klass.new_instance
    new_class = klass.new_class
    type_new = metaclass.type_new
    initialise_class = metaclass.initialise
    rebase = klass.rebase
    finish_class = klass.finish_class
    abstract_methods = staticmethod(klass.abstract_methods)
    # containers
    getitem = containers.getitem
    index = containers.index
    present_item = containers.present_item
    setitem = items.setitem
    delitem = items.delitem
    dict_set = items.dict_set
    make_set = containers.make_set
    dict_set_maybe = items.dict_set_maybe
    pour = items.pour
    iterate = iteration.iterate
    iterator = iteration.iterator
    sequence = iteration.sequence
    candidates = iteration.candidates
    first_of = generators.first_of
    taken = generators.taken
    indexed = generators.indexed
    advancing = generators.advancing
    lazily = lazy.lazily
    has_not_run = staticmethod(lazy.has_not_run)
    numbered = lazy.numbered
    zipped = lazy.zipped
    chained = lazy.chained
    run_items = generators.run_items
    is_open = iteration.is_open
    in_order = staticmethod(iteration.in_order)
    element_of = iteration.element_of
    mapping_items = containers.mapping_items
    # operators
    binop = ops.binop
    unary = ops.unary
    inplace = ops.inplace
    compare = comparison.compare
    truth = ops.truth
    equal = comparison.equal
    contains = membership.contains
    hashable = keys.hashable
    # guards and forks
    guard = guards.guard
    guard_of = guards.guard_of
    refine = guards.refine
    fork_value = guards.fork_value
    narrow_truth = guards.narrow_truth
    may_call = forks_api.may_call
    peek = forks_api.peek
    write_back = forks_api.write_back
    text = forks_api.text
    condition_text = forks_api.condition_text
    frontier = forks_api.frontier
    note_loop = forks_api.note_loop
    note_content = origins.note_content
    resting_on = origins.resting_on
    content_origin = staticmethod(origins.content_origin)
    uncertainty = calls.uncertainty
    hand_on = staticmethod(fork.hand_on)
    item_origin = origins.item_origin
    write_attr = forks_api.write_attr
    missing_name = forks_api.missing_name
    site = forks_api.site
    # exceptions
    exception = raising.exception
    throw = raising.throw
    throw_key = raising.throw_key
    make_raise = raising.make_raise
    attempt = trycatch.attempt
    attempt_certain = trycatch.attempt_certain
    exception_matches = raising.exception_matches
    catches = raising.catches
    may_be_caught = raising.may_be_caught
    current_exception = raising.current_exception
    message_of = raising.message_of
    may_catch = raising.may_catch
    may_throw = raising.may_throw
    may_throw_key = raising.may_throw_key
    may_raise_of = raising.may_raise_of
    # what is not known
    external_attr = opaque.external_attr
    call_external = opaque.call_external
    opaque_call = opaque.opaque_call
    forgetful = opaque.forgetful
    may_change = opaque.may_change
    havoc = opaque.havoc
    set_some_attr = opaque.set_some_attr
    may_raise = opaque.may_raise
    leave_pending = opaque.leave_pending
    leave_pending_with = opaque.leave_pending_with
    write_to_unknown = opaque.write_to_unknown
    opaque_result = opaque.opaque_result
    hinted_attr = hints.hinted_attr
    hinted_item = hints.hinted_item
    hinted_items = hints.hinted_items
    hinted_binop = hints.hinted_binop
    class_of = hints.class_of
    # types
    isinstance = typing_.is_instance
    issubclass = typing_.is_subclass
    type_of = typing_.type_of
    type_name = typing_.type_name
    equal_external = typing_.equal_external
    certainly_instance = typing_.certainly_instance
    mro_entries = typing_.mro_entries
    union_type = typing_.union_type
    class_getitem = typing_.class_getitem
    iterate_class = typing_.iterate_class
    class_annotations = notes.class_annotations
    annotation_value = notes.annotation_value
    annotation_raw = notes.annotation_raw
    annotation_scope = notes.function_scope
    annotated_parameters = staticmethod(notes.annotated_parameters)
    resolve_forward = notes.resolve_forward
    postponed = staticmethod(notes.postponed)
    type_method = typing_.type_method
    annotate = typing_.annotate
    foreign_attr = typing_.foreign_attr
    truthy_foreign = typing_.truthy_foreign
    instance_truth = typing_.instance_truth
    fill_payload = typing_.fill_payload
    payload_attr = typing_.payload_attr
    # functions, generators, text
    make_function = functions.make_function
    generator_of = functions.generator_of
    context_generator = functions.context_generator
    within = managers.within
    enter_generator = managers.enter_generator
    leave_generator = managers.leave_generator
    await_ = functions.await_
    format_value = functions.format_value
    dict_op = dict_ops.dict_op
    dict_inplace = dict_ops.dict_inplace
    replace_dict = dict_ops.replace_dict
    assign = stmt.store
    union = staticmethod(union)
    # modules
    import_module = importer.import_module
    from_module = importer.from_module
    lookup = importer.qualname_lookup


def _in_one_chunk(task: Callable[[], Any]) -> Any:
    """Call ``task`` with room for all of its frames in one piece of memory.

    CPython keeps the frames of a thread in chunks of 16 KB, which it maps and unmaps as calls
    cross their borders; a chunk is as large as the frame that it is made for asks.
    """
    return task()


_in_one_chunk.__code__ = _in_one_chunk.__code__.replace(co_stacksize=FRAMES)


def run_deep(task: Callable[[], Any]) -> Any:
    """Run ``task`` where Python's own stack is deep enough for the evaluator's recursion.

    The cyclic garbage collector rests meanwhile: nearly everything that is made stays alive. What
    an earlier task left is collected first, also where the collector is off.
    """
    if gc.get_count()[0] > LEFT_BEHIND:
        gc.collect()
    result: list[Any] = []
    error: list[BaseException] = []

    def target() -> None:
        sys.setrecursionlimit(RECURSION)
        try:
            result.append(_in_one_chunk(task))
        except BaseException as raised:  # noqa: BLE001 - the caller's thread raises it
            error.append(raised)

    limit = sys.getrecursionlimit()
    size = threading.stack_size(STACK_BYTES)
    collecting = gc.isenabled()
    gc.disable()
    try:
        thread = threading.Thread(target=target, name="mlapath-engine")
        thread.start()
    finally:
        threading.stack_size(size)
    thread.join()
    sys.setrecursionlimit(limit)
    if collecting:
        gc.enable()
    if error:
        raise error[0]
    return result[0]


__all__ = ["Engine", "n", "run_deep"]
