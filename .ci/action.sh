#!/usr/bin/env bash
# The steps of action.yml: `action.sh install`, then `action.sh check`.
#
# Inputs come as variables MLAPATH_INPUT_*. They reach programs only as one word each, after an
# option's name and "=": none is run, split or taken for another option.
set -euo pipefail

venv=${RUNNER_TEMP:?}/mlapath-venv
bin=$venv/bin

fail() {
  printf '::error title=mlapath::%s\n' "$1"
  exit 2
}

# A Windows venv has its programs elsewhere, and is known only once it is made.
find_bin() {
  [ ! -d "$venv/Scripts" ] || bin=$venv/Scripts
}

install() {
  local python=python3 what=$GITHUB_ACTION_PATH version=${MLAPATH_INPUT_VERSION:-}
  command -v python3 >/dev/null || python=python
  if [ -n "$version" ]; then
    [[ $version =~ ^[0-9][0-9A-Za-z.+!-]*$ ]] || fail "the input 'version' is not a version"
    what=mlapath==$version
  fi
  "$python" -m venv "$venv"
  find_bin
  "$bin/python" -m pip install --quiet --disable-pip-version-check -- "$what"
}

# The version of the line `vllm==VERSION` of a requirements file.
pinned_vllm() {
  local name='[vV][lL][lL][mM]' extras='(\[[^]]*\])?' version='([0-9][0-9A-Za-z.+!-]*)'
  sed -nE "s/^[[:space:]]*${name}[[:space:]]*${extras}[[:space:]]*==[[:space:]]*${version}([^0-9A-Za-z.*+!-].*)?\$/\2/p" |
    sed -n 1p
}

check() {
  local mlapath vllm=${MLAPATH_INPUT_VLLM:-} requirements=${MLAPATH_INPUT_REQUIREMENTS:-}
  find_bin
  mlapath=$bin/mlapath
  [ -x "$mlapath" ] || mlapath=mlapath
  if [ -n "$requirements" ]; then
    [ -z "$vllm" ] || fail "give one of the inputs 'vllm' and 'requirements'"
    [ -f "$requirements" ] || fail "the input 'requirements' names no file"
    vllm=$(pinned_vllm <"$requirements")
    [ -n "$vllm" ] || fail "the requirements file has no line vllm==VERSION"
  fi

  local words=(check)
  [ -z "${MLAPATH_INPUT_CONFIG:-}" ] || words+=("--project=$MLAPATH_INPUT_CONFIG")
  [ -z "$vllm" ] || words+=("--vllm=$vllm")
  [ -z "${MLAPATH_INPUT_BASELINE:-}" ] || words+=("--baseline=$MLAPATH_INPUT_BASELINE")
  [ -z "${MLAPATH_INPUT_FAIL_ON:-}" ] || words+=("--fail-on=$MLAPATH_INPUT_FAIL_ON")
  [ -z "${MLAPATH_INPUT_SARIF:-}" ] || words+=("--output=sarif:$MLAPATH_INPUT_SARIF")

  local work token code=0
  work=$(mktemp -d "$RUNNER_TEMP/mlapath-XXXXXXXX")
  words+=("--output=text:-" "--output=github:$work/annotations" "--output=markdown:$work/summary")

  # What is printed quotes code of others: no line of it may be taken for a workflow command.
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$token"
  "$mlapath" "${words[@]}" || code=$?
  printf '\n::%s::\n' "$token"

  [ ! -f "$work/annotations" ] || cat "$work/annotations"
  [ ! -f "$work/summary" ] || cat "$work/summary" >>"$GITHUB_STEP_SUMMARY"
  printf 'exit-code=%s\n' "$code" >>"$GITHUB_OUTPUT"
  rm -rf "$work"
  exit "$code"
}

case ${1:-} in
  install) install ;;
  check) check ;;
  *) fail "usage: action.sh install|check" ;;
esac
