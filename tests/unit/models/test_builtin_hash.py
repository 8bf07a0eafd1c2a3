from support.differential import assert_same, evaluate


def test_equal_keys_have_one_hash():
    assert_same(
        """
        memo = {}
        def remember(a, b):
            key = hash((a, b))
            if key in memo:
                return "again"
            memo[key] = (a, b)
            return "new"
        said = remember("x", 1), remember("x", 1), remember("y", 1), remember("y", 1)
        kept = list(memo.values())
        same = hash("x") == hash("x")
        """,
        "said kept same",
    )


def test_a_hash_itself_is_not_known():
    run = evaluate("odd = hash('x') % 2; other = hash('x') == hash('y')")
    assert run.unknown("odd").hint in ("", "int")
    assert run.unknown("other").hint == "bool"
