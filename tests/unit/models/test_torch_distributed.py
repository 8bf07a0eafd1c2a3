from support.torches import run_torch


def test_groups_and_ranks():
    run = run_torch(
        """
        import torch.distributed as dist
        from torch.distributed import ProcessGroup, ReduceOp
        before = dist.is_initialized()
        dist.init_process_group("nccl", world_size=4, rank=3, init_method="x")
        g = dist.new_group([2, 3], backend="gloo")
        r = [before, dist.is_initialized(), dist.get_world_size(), dist.get_rank(),
             dist.get_world_size(g), dist.get_rank(g), dist.get_process_group_ranks(g),
             dist.get_backend(g), isinstance(g, ProcessGroup), g.size(), g.rank(),
             dist.get_rank(dist.new_group([0]))]
        dist.destroy_process_group()
        after = dist.is_initialized()
        try:
            dist.get_world_size()
        except ValueError:
            raised = True
        """
    )
    assert run.plain("r") == [
        False, True, 4, 3, 2, 1, [2, 3], "gloo", True, 2, 1, -1,
    ]  # fmt: skip
    assert run.plain("after") is False
    assert run.plain("raised") is True


COLLECTIVES = """
import torch.distributed as dist
dist.init_process_group("nccl", world_size=SIZE, rank=0)
t = torch.tensor([1, 2])
nothing = dist.all_reduce(t, op=dist.ReduceOp.SUM)
first = t[0].item()
objects = [7]
dist.broadcast_object_list(objects, src=1)
other = objects[0]
seen = [None] * SIZE
dist.all_gather_object(seen, 5)
gathered = seen[0]
"""


def test_collectives_forget_what_others_send():
    run = run_torch(COLLECTIVES.replace("SIZE", "2"))
    assert run.plain("nothing") is None
    assert run.unknown("first").hint == "int"
    run.unknown("other")
    run.unknown("gathered")


def test_a_process_alone_keeps_its_values():
    run = run_torch(COLLECTIVES.replace("SIZE", "1"))
    assert (run.plain("first"), run.plain("other"), run.plain("gathered")) == (1, 7, 5)


def test_state_is_joined_over_alternatives():
    run = run_torch(
        """
        import torch.distributed as dist
        if u:
            dist.init_process_group("nccl", world_size=1, rank=0)
        r = dist.is_initialized()
        both = r in (True, False)
        only = r is True
        """
    )
    assert run.plain("both") is True
    assert run.unknown("only").hint == "bool"


def test_one_of_two_groups_of_the_same_ranks():
    run = run_torch(
        """
        import torch.distributed as dist
        dist.init_process_group("nccl", world_size=1, rank=0)
        group = dist.new_group([0], backend="gloo") if u else dist.new_group([0])
        size, rank = dist.get_world_size(group), dist.get_rank(group)
        kinds = dist.get_backend(group) in ("gloo", "nccl")
        other = dist.new_group([0, 1]) if u else group
        unknown = dist.get_world_size(other)
        """
    )
    assert (run.plain("size"), run.plain("rank"), run.plain("kinds")) == (1, 0, True)
    assert run.unknown("unknown").hint == "int"
