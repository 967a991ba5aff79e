"""Checks certificates by docs/certificates.md.

    reader.py SCHEMA CERTIFICATE...

writes a line for each: accepted, rejected and why, or "cannot say" and why. Sources are not read but for their
digest: what is claimed is taken from claim.asserts, and the rules from the canonical text.

    unknown.py     numbers of which only bounds are known, and runs that take all ways
    text.py        expressions and statements of the canonical text
    kernel.py      a System, and how it is played
    claim.py       what a claim asserts
    states.py      states of which some parts are kept
    forward.py, products.py, strategies.py, laws.py, backward.py    the kinds of evidence
"""
import hashlib, json, re, subprocess, sys
from functools import reduce
from math import inf
from operator import getitem
import backward, forward, laws, products, strategies
from claim import Claim
from kernel import System
from states import Rejected, need
from text import Fault, NoText
from unknown import CannotSay


KINDS = {
    "play": forward.play, "forward-closed": forward.forward_closed, "falling-numbers": forward.falling_numbers,
    "depths": forward.depths, "closed-product": products.closed_product, "strategies": strategies.strategies,
    "backward-closed": backward.backward_closed, "winning-states": backward.winning_states,
    "winning-plan": backward.winning_plan, "conserved-seeds": laws.conserved_seeds, "seed-groups": laws.seed_groups,
    "seed-moves": laws.seed_moves, "falling-rank": laws.falling_rank, "finite-positions": laws.finite_positions,
    "no-dead-end": laws.no_dead_end, "over-at-once": laws.over_at_once, "inductive": laws.inductive,
}


def once(pairs):
    need(len(pairs) == len(dict(pairs)), "a field occurs twice")
    return dict(pairs)


def conforms(x, schema, root):
    """Whether x is as a JSON Schema says, of which this knows what certificate.schema.json needs."""
    if "$ref" in schema: return conforms(x, reduce(getitem, schema["$ref"].split("/")[1:], root), root)
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int}
    named = schema.get("type", [])
    named = [named] if isinstance(named, str) else named
    fields, kinds = schema.get("properties", {}), schema.get("oneOf", [])
    others = schema.get("additionalProperties", True)
    return all((
        not named or any(isinstance(x, types[t]) and (t == "boolean" or not isinstance(x, bool)) for t in named),
        "const" not in schema or x == schema["const"] and type(x) is type(schema["const"]),
        "enum" not in schema or x in schema["enum"],
        "pattern" not in schema or not isinstance(x, str) or re.search(schema["pattern"].replace("$", r"\Z"), x),
        not isinstance(x, str) or len(x) >= schema.get("minLength", 0),
        not isinstance(x, int) or schema.get("minimum", -inf) <= x <= schema.get("maximum", inf),
        not isinstance(x, list) or schema.get("minItems", 0) <= len(x) <= schema.get("maxItems", inf)
            and all(conforms(item, schema.get("items", {}), root) for item in x),
        not isinstance(x, dict) or all((
            all(field in x for field in schema.get("required", [])),
            len(x) >= schema.get("minProperties", 0),
            all(fields.get(field, others) is not False for field in x),
            all(conforms(x[field], fields.get(field, others), root) for field in x
                if isinstance(fields.get(field, others), dict)),
        )),
        not kinds or sum(conforms(x, kind, root) for kind in kinds) == 1,
    ))


def digest(sources):
    h = hashlib.sha256()
    for path in sorted(sources, key=str.encode):
        for text in (path.encode(), sources[path].encode()): h.update(b"%d %s\n" % (len(text), text))
    return h.hexdigest()


def check(data, schema):
    c = json.loads(data.decode(), object_pairs_hook=once)
    need(conforms(c, schema, schema), "the file is not as the schema says")
    need(c["root"] in c["sources"] and digest(c["sources"]) == c["sourcesDigest"], "the digest of the sources differs")
    need(hashlib.sha256(c["system"].encode()).hexdigest() == c["systemHash"], "the hash of the System differs")
    system = System(c["system"])
    claim = Claim(system, c["claim"]["asserts"], c.get("other"))
    need((claim.size or [None])[0] == c.get("size"), "the claim is about other sizes")
    if claim.size:
        need({"param": claim.size[0], "is": f"{claim.size[1]}..", "all": True} in c["scope"], "another scope")
        raise CannotSay("whether the rules of all sizes are those of one with pits inserted")
    parameters = [(p["param"], (p["is"], p.get("all", False))) for p in c.get("scope", [])]
    need(parameters == list(system.scope.items()), "another scope")
    need(c.get("open", []) == [p for p, (_, open) in system.scope.items() if open], "other parameters are open")
    values = {p: json.loads(text) for p, (text, open) in system.scope.items() if not open}
    need(json.dumps(c.get("settings", {}), sort_keys=True) == json.dumps(values, sort_keys=True), "other settings")
    if c.get("vacuous"): raise CannotSay("whether anything matches the claim")
    need(c["claim"]["kind"] == claim.kind, "the claim is of another kind")
    if system.repetition and not claim.by_repetition: raise CannotSay("what a rule of repetition changes")
    KINDS[c["evidence"]["kind"]](system, claim, (c["verdict"] == "proved") != claim.denied, c["evidence"])


def main(schema, *paths):
    with open(schema, encoding="utf-8") as file: schema = json.load(file)
    for path in paths:
        with open(path, "rb") as file: data = file.read()
        try:
            if data[:4] == b"\x28\xb5\x2f\xfd":
                data = subprocess.run(["zstd", "-dcq"], input=data, capture_output=True).stdout
            check(data, schema)
            answer = "accepted"
        except CannotSay as e: answer = f"cannot say: {e}"
        except (Rejected, Fault, NoText, ValueError, LookupError, SyntaxError) as e: answer = f"rejected: {e}"
        print(f"{path}: {answer}", flush=True)


if __name__ == "__main__": main(*sys.argv[1:])
