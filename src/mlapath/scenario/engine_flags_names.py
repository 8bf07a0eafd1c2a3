"""The entry points of vLLM's command line: the only names of vLLM that the flag reader knows.

Everything else (flags, types, choices, conventions) is read from what these lead to.
"""

from __future__ import annotations

ENGINE_MODULE = "vllm.engine.arg_utils"
ENGINE_CLASS = "EngineArgs"
ADD_ARGUMENTS = "add_cli_args"
"""Static method of ``ENGINE_CLASS``: adds its flags to a parser."""

SERVER_MODULES = ("vllm.entrypoints.cli.serve", "vllm.entrypoints.openai.cli_args")
"""Where ``SERVER_FUNCTION`` is defined or imported; the first that has it counts."""
SERVER_FUNCTION = "make_arg_parser"
"""Adds the server's flags and the engine's to a parser."""

PARSER_CLASS = "FlexibleArgumentParser"
"""The parser, as ``ENGINE_MODULE`` knows it; what its methods override is how words are read."""
PARSER_INIT = "__init__"
PARSE = "parse_args"

LOGGER_FUNCTION = "vllm.logger.init_logger"
"""Makes the loggers whose warnings are passed on to the user."""

LAZY_MODULE = "LazyLoader"
"""The class whose objects stand for a module, named by the last argument."""

SUBCOMMAND = "serve"
CONFIG_FLAG = "--config"
MODEL_FLAG = "--model"
MODEL_FIELD = "model"

HOME_PREFIXES = ("vllm.engine.", "vllm.entrypoints.", "vllm.utils")
"""Functions of other modules are not entered: they do not define flags."""
