#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the YAML files of the project, which run or are shown where nobody sees them before:

  - each can be read, without a key twice
  - workflows and actions: each step runs a command, in bash where the system would choose another
    shell, or uses an action of a named version; texts of strangers are not pasted into commands; expressions name inputs, steps and outputs
    that are there; first words of commands with a slash are files of the project
  - issue forms: each field has a type, a label and an id of its own, and one is required
  - files that descriptions name (docs/truth.md) are there

usage: check_yaml.py FILE...
"""
import os
import re
import sys

import yaml

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
problems = []


def complain(path, text):
    problems.append(f"{path}: {text}")


class Loader(yaml.SafeLoader):
    """`on` stays a word, and no key may come twice."""

    def construct_mapping(self, node, deep=False):
        keys = [key.value for key, _ in node.value]
        for key in set(keys):
            if keys.count(key) > 1:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key {key!r} comes twice", node.start_mark)
        return super().construct_mapping(node, deep)


Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:bool"]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def texts(value):
    """All texts in a value."""
    if isinstance(value, dict):
        for each in value.values():
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
    else:
        yield str(value)


def check_expressions(path, value, known):
    """Each ${{ ... }} names what is there."""
    for text in texts(value):
        for expression in re.findall(r"\$\{\{(.*?)\}\}", text):
            for name in re.findall(r"\b(?:inputs|env|matrix|steps|github)\.[\w.-]+", expression):
                kind, _, rest = name.partition(".")
                if kind in known and rest.partition(".outputs.")[0] not in known[kind]:
                    complain(path, f"{name} is not there")


def check_command(path, command, prefix):
    """The first words of commands that are paths of this project."""
    for word in re.findall(r"""(?m)(?:^\s*|[|&;(]\s*|"?\$GITHUB_ACTION_PATH/)((?:\.?/)?[\w.-]+(?:/[\w.-]+)*/[\w.-]+)""",
                           command):
        word = word.removeprefix("./").removeprefix(prefix)
        if not word.startswith(("build/", "results/")) and not os.path.exists(os.path.join(ROOT, word)):
            complain(path, f"the command {word} is not in the project")
    if "${{" in command and not re.search(r"\$\{\{ *matrix\.", command):
        complain(path, "an expression is pasted into a command: hand it over in env")


def check_steps(path, steps, shell, prefix, known):
    """With shell None each step has to name one."""
    known = {**known, "steps": {step["id"] for step in steps if "id" in step}}
    for step in steps:
        if ("run" in step) == ("uses" in step):
            complain(path, f"a step has either run or uses: {step}")
        elif "uses" in step and not re.fullmatch(r"[\w./-]+@v?[\w.]+", step["uses"]):
            complain(path, f"{step['uses']} has no version")
        elif "run" in step:
            if step.get("shell", shell) != "bash":
                complain(path, f"{step['run']!r} runs in a shell that depends on the system: use bash")
            check_command(path, step["run"], prefix)
        check_expressions(path, step, known)
    return known


def check_workflow(path, text):
    if "on" not in text or not text.get("jobs"):
        complain(path, "a workflow has on and jobs")
        return
    shell = text.get("defaults", {}).get("run", {}).get("shell")
    # In an author's repository touchstone is in a folder of that name.
    prefix = "touchstone/" if path.startswith("examples/plugin_repository/") else ""
    for job in text["jobs"].values():
        known = {"env": {**text.get("env", {}), **job.get("env", {})},
                 "matrix": job.get("strategy", {}).get("matrix", {})}
        in_job = job.get("defaults", {}).get("run", {}).get("shell", shell)
        # Without a container it is bash anyway.
        check_steps(path, job["steps"], in_job or (None if "container" in job else "bash"), prefix, known)
        if not str(job.get("runs-on", "")):
            complain(path, "a job has no runs-on")


def check_action(path, text):
    known = {"inputs": text["inputs"]}
    known = check_steps(path, text["runs"]["steps"], None, "", known)
    check_expressions(path, text["outputs"], known)
    used = " ".join(texts(text["runs"]))
    for name, described in text["inputs"].items():
        if not described.get("description") or "default" not in described:
            complain(path, f"the input {name} needs a description and a default")
        if f"inputs.{name}" not in used:
            complain(path, f"the input {name} is used nowhere")


def check_form(path, text):
    if not text.get("name") or not text.get("description") or not text.get("body"):
        complain(path, "a form has name, description and body")
        return
    fields = [field for field in text["body"] if field["type"] != "markdown"]
    ids = [field.get("id") for field in fields]
    if len(set(ids)) != len(ids) or None in ids:
        complain(path, f"each field has an id of its own: {ids}")
    for field in fields:
        if field["type"] not in ("input", "textarea", "dropdown", "checkboxes"):
            complain(path, f"there is no field of type {field['type']}")
        if not field.get("attributes", {}).get("label"):
            complain(path, f"the field {field.get('id')} has no label")
    if not any(field.get("validations", {}).get("required") for field in fields):
        complain(path, "nothing is required")


def check_named_files(path, text):
    for each in texts(text):
        for name in re.findall(r"\b(?:docs/[\w/]+\.(?:md|rules)|[A-Z]+\.md)\b", each):
            if not os.path.exists(os.path.join(ROOT, name)):
                complain(path, f"{name} is not in the project")


def check(path):
    with open(path) as file:
        try:
            text = yaml.load(file, Loader)
        except yaml.YAMLError as error:
            complain(path, str(error))
            return
    if path.endswith("action.yml"):
        check_action(path, text)
    elif isinstance(text, dict) and "jobs" in text:
        check_workflow(path, text)
    elif "ISSUE_TEMPLATE/" in path and not path.endswith("config.yml"):
        check_form(path, text)
    elif "workflows/" in path:
        complain(path, "a workflow has jobs")
    check_named_files(path, text)


os.chdir(ROOT)
for each in sys.argv[1:]:
    check(each)
print("".join(f"{problem}\n" for problem in problems), end="")
sys.exit(bool(problems) or len(sys.argv) < 2)
