from support.torches import run_torch


def test_types_are_one_object_under_all_their_names():
    run = run_torch(
        """
        r = [torch.half is torch.float16, torch.float == torch.float32, torch.long is torch.int64,
             torch.bfloat16 == torch.float16, torch.uint8 != torch.int8]
        d = {torch.half: "h"}[torch.float16]
        """
    )
    assert run.plain("r") == [True, True, True, False, True]
    assert run.plain("d") == "h"


def test_attributes_and_text():
    run = run_torch(
        """
        r = [str(torch.half), f"{torch.float8_e4m3fn}", repr(torch.int), torch.bfloat16.itemsize,
             torch.float8_e5m2.is_floating_point, torch.uint8.is_floating_point,
             torch.complex64.is_complex, str(torch.long).split(".")[-1]]
        i = [isinstance(torch.float32, torch.dtype), isinstance("float32", torch.dtype),
             isinstance(torch.zeros(1), torch.dtype), hasattr(torch, "float8_e8m0fnu")]
        """
    )
    assert run.plain("r") == [
        "torch.float16", "torch.float8_e4m3fn", "torch.int32", 2, True, False, True, "int64",
    ]  # fmt: skip
    assert run.plain("i") == [True, False, False, True]


def test_limits():
    run = run_torch(
        """
        f, i = torch.finfo(torch.float8_e4m3fn), torch.iinfo(torch.int32)
        r = [f.max, f.min, f.bits, i.max, i.min, i.bits, torch.finfo(torch.bfloat16).tiny]
        try:
            torch.iinfo(torch.float32)
        except TypeError:
            no = True
        """
    )
    assert run.plain("r") == [448.0, -448.0, 8, 2**31 - 1, -(2**31), 32, 2.0**-126]
    assert run.plain("no") is True


def test_the_default_type_is_state():
    run = run_torch(
        """
        before = torch.zeros(1).dtype
        torch.set_default_dtype(torch.bfloat16)
        after = torch.zeros(1).dtype, torch.get_default_dtype(), torch.tensor(1.5).dtype
        ok = before == torch.float32, after == (torch.bfloat16,) * 3
        """
    )
    assert run.plain("ok") == (True, True)


def test_the_default_type_of_an_alternative_is_joined():
    run = run_torch(
        """
        if u:
            torch.set_default_dtype(torch.float16)
        d = torch.get_default_dtype()
        r = d in (torch.float16, torch.float32)
        half = d == torch.float16
        """
    )
    assert run.plain("r") is True
    assert run.unknown("half").hint == "bool"
