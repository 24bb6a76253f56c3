#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what a workflow of GitHub says, here: each `run:` in order, in the folder of a repository.

    run_workflow.py REPOSITORY TREE WORKFLOW [NAME=VALUE...]

WORKFLOW is a file within REPOSITORY. TREE, the source tree of touchstone, stands for what
actions/checkout brings into a path, and for the action OWNER/touchstone, whose steps are done in
turn. actions/cache brings nothing; actions/upload-artifact copies what it would upload to
REPOSITORY/artifacts/NAME. Anything else that a workflow may say is refused, so that nothing is
taken for done. NAME=VALUE is put into the environment of each step.

Prints a line for each step, and with failed ones what they printed; exits 0 if the job passed, 1 if
it failed, 2 if the workflow has what is not understood here.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

import yaml


class NotUnderstood(Exception):
    pass


def text_of(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def words_of(lines):
    """NAME=VALUE lines, as steps write them to $GITHUB_OUTPUT."""
    return dict(line.rstrip("\n").split("=", 1) for line in lines)


class Job:
    def __init__(self, repository, tree, env):
        self.repository, self.tree, self.env = repository, tree, env
        self.failed = False

    def evaluate(self, expression, scope):
        """A name such as inputs.case, a text in quotes, A == B, A != B, A && B, always(), failure()."""
        expression = expression.strip()
        if "&&" in expression:
            return all(self.evaluate(part, scope) for part in expression.split("&&"))
        for sign, result in (("!=", False), ("==", True)):
            if sign in expression:
                left, right = (self.evaluate(part, scope) for part in expression.split(sign))
                return (left == right) is result
        if expression in ("always()", "failure()"):
            return expression == "always()" or self.failed
        if re.fullmatch(r"'[^']*'", expression):
            return expression[1:-1]
        kind, _, name = expression.partition(".")
        if kind == "steps":
            step, _, name = name.partition(".outputs.")
            return scope["steps"].get(step, {}).get(name, "")
        if kind not in scope or name not in scope[kind]:
            raise NotUnderstood(f"the expression {expression!r}")
        return scope[kind][name]

    def expand(self, text, scope):
        return re.sub(r"\$\{\{(.*?)\}\}", lambda m: text_of(self.evaluate(m[1], scope)),
                      text_of(text))

    def is_due(self, step, scope):
        condition = str(step.get("if", ""))
        by_status = "always()" in condition or "failure()" in condition
        if self.failed and not by_status:
            return False
        return not condition or bool(self.evaluate(condition, scope))

    def run_shell(self, step, scope, shell):
        if shell != "bash":
            raise NotUnderstood(f"the shell {shell!r}")
        output = os.path.join(self.env["GITHUB_WORKSPACE"], ".output")
        open(output, "w").close()
        env = {**os.environ, **self.env, "GITHUB_OUTPUT": output, **scope.get("extra", {})}
        for name, value in {**scope.get("env", {}), **step.get("env", {})}.items():
            env[name] = self.expand(value, scope)
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c",
                               self.expand(step["run"], scope)], cwd=self.repository, env=env,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        with open(output) as lines:
            scope["steps"][step.get("id", "")] = words_of(lines)
        os.remove(output)
        return done.returncode, done.stdout

    def use(self, step, scope):
        action = step["uses"].partition("@")[0]
        given = {name: self.expand(value, scope) for name, value in step.get("with", {}).items()}
        if action == "actions/checkout":
            if "path" in given:
                os.symlink(self.tree, os.path.join(self.repository, given["path"]))
        elif action == "actions/cache":
            pass
        elif action == "actions/upload-artifact":
            return self.upload(given["name"], given["path"].split("\n"))
        elif action.endswith("/touchstone"):
            return self.run_action(step, given, scope)
        else:
            raise NotUnderstood(f"the action {action}")
        return 0, ""

    def upload(self, name, patterns):
        found = [path for pattern in patterns if pattern
                 for path in glob.glob(os.path.join(self.repository, pattern))]
        to = os.path.join(self.repository, "artifacts", name)
        os.makedirs(to)
        for path in found:
            if os.path.isdir(path):
                shutil.copytree(path, to, dirs_exist_ok=True)
            else:
                shutil.copy(path, to)
        return (0, "") if found else (1, "nothing to upload")

    def run_action(self, step, given, outer):
        with open(os.path.join(self.tree, "action.yml")) as file:
            action = yaml.safe_load(file)
        unknown = set(given) - set(action["inputs"])
        if unknown:
            raise NotUnderstood(f"the inputs {unknown}")
        inputs = {name: given.get(name, text_of(described.get("default", "")))
                  for name, described in action["inputs"].items()}
        scope = {"inputs": inputs, "steps": {}, "extra": {"GITHUB_ACTION_PATH": self.tree}}
        self.run_steps(action["runs"]["steps"], scope, None)
        outer["steps"][step.get("id", "")] = {
            name: self.expand(described["value"], scope)
            for name, described in action["outputs"].items()}
        return int(self.failed), ""

    def run_steps(self, steps, scope, shell):
        for step in steps:
            name = step.get("name") or step.get("uses") or step["run"]
            if not self.is_due(step, scope):
                print(f"left out: {name}")
                continue
            if "run" in step:
                status, printed = self.run_shell(step, scope, step.get("shell", shell))
            else:
                status, printed = self.use(step, scope)
            print(f"{'failed' if status else 'done'}: {name}")
            if printed:
                print("".join(f"  {line}\n" for line in printed.splitlines()), end="")
            sys.stdout.flush()
            self.failed = self.failed or status != 0


def main():
    repository, tree, workflow = sys.argv[1:4]
    repository = os.path.realpath(repository)
    with open(os.path.join(repository, workflow)) as file:
        text = yaml.safe_load(file)
    env = {"GITHUB_WORKSPACE": repository, "CI": "true",
           "GITHUB_STEP_SUMMARY": os.path.join(repository, "step_summary.md"),
           **words_of(sys.argv[4:])}
    job = Job(repository, os.path.realpath(tree), env)
    if len(text["jobs"]) != 1:
        raise NotUnderstood("more than one job")
    (described,) = text["jobs"].values()
    scope = {"steps": {}, "env": {**text.get("env", {}), **described.get("env", {})}}
    shell = text.get("defaults", {}).get("run", {}).get("shell", "bash")
    job.run_steps(described["steps"], scope, shell)
    return int(job.failed)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except NotUnderstood as error:
        print(f"run_workflow.py: {error} is not understood here")
        sys.exit(2)
