from types import SimpleNamespace
from typing import Any

from mlapath.models.remote_config import from_checkpoint, lookup
from mlapath.values.truth import Truth
from mlapath.values.value import Unknown, V

BASE = V("the base class")


def engine(*, complete: bool = False, **config: Any) -> Any:
    """An engine whose tables know the type ``known``."""
    return SimpleNamespace(
        store={"hf_config": config},
        facts=SimpleNamespace(complete=complete),
        find_attr=lambda value, name: V(name),
        contains=lambda table, key: Truth.of(table.d == "_mapping" and key.d == "known"),
        import_module=V,
        getattr=lambda value, name: BASE,
    )


def test_the_files_type_that_is_in_no_table_gets_the_base_class():
    it = engine(model_type="own")
    assert lookup(it, None, [V("self"), V("own")], {}) is BASE
    lookup(it, None, [V("self"), V("own")], {})
    assert len(it.store["notes"]) == 1
    assert "'own'" in it.store["notes"][0]


def test_the_program_answers_for_known_and_for_other_types():
    assert lookup(engine(model_type="known"), None, [V("self"), V("known")], {}) is None
    assert lookup(engine(model_type="own"), None, [V("self"), V("other")], {}) is None


def test_a_file_that_names_its_class_is_left_to_the_program():
    it = engine(model_type="own", auto_map={"AutoConfig": "configuration_own.OwnConfig"})
    assert lookup(it, None, [V("self"), V("own")], {}) is None


def test_an_environment_that_lacks_the_type_refuses_it():
    assert lookup(engine(complete=True, model_type="own"), None, [V("self"), V("own")], {}) is None


def test_a_configuration_class_of_the_checkpoint_is_the_base_class():
    assert from_checkpoint(engine(), [V("configuration_own.OwnConfig")], {}) is BASE
    assert isinstance(from_checkpoint(engine(), [V("modeling_own.Model")], {}).d, Unknown)
