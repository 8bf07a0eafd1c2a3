from support.torches import run_torch


def test_parsing_and_text():
    run = run_torch(
        """
        d = torch.device("cuda:1")
        r = [d.type, d.index, str(d), repr(d), d == torch.device("cuda", 1), d == "cuda:1",
             d != torch.device("cpu"), repr(torch.device("cpu")), torch.device(d) is d,
             torch.device(2).type, isinstance(d, torch.device), {d: 5}[torch.device("cuda", 1)]]
        try:
            torch.device("cudax")
        except RuntimeError as error:
            message = str(error)
        """
    )
    assert run.plain("r") == [
        "cuda", 1, "cuda:1", "device(type='cuda', index=1)", True, False, True,
        "device(type='cpu')", True, "cuda", True, 5,
    ]  # fmt: skip
    assert run.plain("message") == "Invalid device string: 'cudax'"


def test_tensors_are_put_on_the_device_of_the_context():
    run = run_torch(
        """
        with torch.device("cuda"):
            a = torch.zeros(2)
            c = torch.zeros(2, device="cpu")
        b = torch.zeros(2)
        r = [str(a.device), a.is_cuda, str(c.device), str(b.device), b.is_cpu,
             str(b.to("cuda").device), str(a.cpu().device), a.to(a.device) is a]
        torch.set_default_device("cuda:1")
        s = str(torch.empty(1).device)
        """
    )
    assert run.plain("r") == ["cuda:0", True, "cpu", "cpu", True, "cuda:0", "cpu", True]
    assert run.plain("s") == "cuda:1"


def test_unknown_devices_stay_unknown():
    run = run_torch(
        """
        t = torch.zeros(2, device=u)
        r = t.is_cuda
        """
    )
    assert run.unknown("r").hint == "bool"


def test_contexts_of_one_device_nest():
    run = run_torch(
        """
        d, other = torch.device("cuda:0"), torch.device("meta")
        r = []
        with d:
            with d:
                with other:
                    r.append(torch.get_default_device().type)
                r.append(torch.get_default_device().type)
            r.append(torch.get_default_device().type)
        r.append(torch.get_default_device().type)
        for _ in u:
            with (d if u else other):
                with d:
                    pass
        last = torch.get_default_device().type
        """
    )
    assert run.plain("r") == ["meta", "cuda", "cuda", "cpu"]
    assert run.plain("last") == "cpu"
