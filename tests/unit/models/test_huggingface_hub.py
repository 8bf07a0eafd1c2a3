import pytest

from mlapath.models.huggingface_hub import is_repository
from mlapath.values.truth import Truth
from support.differential import FakeFacts, evaluate


@pytest.mark.parametrize(
    ("name", "valid"),
    [
        ("gpt2", True), ("deepseek-ai/DeepSeek-V3", True), ("/model", False), ("a/b/c", False),
        ("./model", False), ("a--b", False), ("a..b", False), ("x.git", False), ("-a", False),
        ("a" * 97, False),
    ],
)  # fmt: skip
def test_names_of_repositories(name: str, valid: bool) -> None:
    assert is_repository(name) is valid


def test_a_path_is_refused_and_a_name_is_looked_up() -> None:
    run = evaluate(
        """
        from huggingface_hub import try_to_load_from_cache
        try:
            try_to_load_from_cache(repo_id="/model", filename="config.json")
        except ValueError as error:
            refused = type(error).__name__
        found = try_to_load_from_cache("org/name", "config.json")
        """,
        FakeFacts(modules={"huggingface_hub": Truth.TRUE}),
    )
    assert run.plain("refused") == "HFValidationError"
    assert run.unknown("found")
