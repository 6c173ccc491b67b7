"""Runs DataHub's own client for a request on standard input.

Writes one line of JSON for each step: {"step": name, "value": …}, or {"step": name, "error": text} after an
exception of the client.
"""

import json
import os
import sys
import tempfile
import time

ME = "query { me { corpUser { urn } } }"

CREATE = """mutation($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) { accessToken metadata { id name ownerUrn expiresAt } }
}"""

LIST = """query($input: ListAccessTokenInput!) {
  listAccessTokens(input: $input) { total tokens { id name expiresAt } }
}"""

REVOKE = "mutation($id: String!) { revokeAccessToken(tokenId: $id) }"

PAGE = {"start": 0, "count": 100}

# The client's own output must not get between the lines.
lines = sys.stdout
sys.stdout = sys.stderr


def step(name, work, shown=lambda result: result):
    """Prints a presentation of the work's result, and returns the result. None if the work failed."""
    result = None
    try:
        result = work()
        line = {"step": name, "value": shown(result)}
    except Exception as error:  # noqa: BLE001 -- any exception of the client is the result
        line = {"step": name, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(line, default=str), file=lines, flush=True)
    return result


def talk(request):
    """Tokens, then dry runs, then a run of `datahub-gc`."""
    connection = {"server": request["server"], "token": request["token"]}
    graph = step("connect", lambda: connect(connection), shown=server_version)
    if graph is None:
        return
    me = step("identify", lambda: identity(graph))
    talk_about_tokens(graph, me)
    for entity_type, aspect in request["indices"]:
        step(f"dry run of {entity_type}/{aspect}", lambda: dry_run(graph, entity_type, aspect, request["endTimeMillis"]))
    pipeline = {"source": {"type": "datahub-gc", "config": request["collectorConfig"]}, "sink": {"type": "console"}}
    step("collect", lambda: collect({**pipeline, "datahub_api": connection}))


def talk_about_tokens(graph, me):
    token_input = {"type": "PERSONAL", "actorUrn": me, "duration": "ONE_HOUR", "name": "made by the client"}
    made = step(
        "create",
        lambda: graph.execute_graphql(CREATE, {"input": token_input})["createAccessToken"],
        shown=lambda created: created["metadata"],
    )
    if made is None:
        return
    connection = {"server": graph.config.server, "token": made["accessToken"]}
    own = [{"field": "ownerUrn", "values": [me]}]
    expired = [{"field": "expiresAt", "values": [str(int(time.time() * 1000))], "condition": "LESS_THAN"}]
    step("identify by the created token", lambda: identity(connect(connection)))
    step("list own", lambda: listed(graph, own))
    step("list expired", lambda: listed(graph, expired))
    step("revoke", lambda: graph.execute_graphql(REVOKE, {"id": made["metadata"]["id"]})["revokeAccessToken"])
    step("list own after revoking", lambda: listed(graph, own))


def connect(connection):
    from datahub.ingestion.graph.client import DataHubGraph, DatahubClientConfig

    graph = DataHubGraph(DatahubClientConfig(**connection))
    graph.test_connection()
    return graph


def server_version(graph):
    return graph.get_config()["versions"]["acryldata/datahub"]["version"]


def identity(graph):
    return graph.execute_graphql(ME)["me"]["corpUser"]["urn"]


def listed(graph, filters):
    return graph.execute_graphql(LIST, {"input": {**PAGE, "filters": filters}})["listAccessTokens"]


def dry_run(graph, entity_type, aspect, end_time_millis):
    payload = {"entityType": entity_type, "aspect": aspect, "endTimeMillis": end_time_millis, "dryRun": True}
    return graph._post_generic(f"{graph._gms_server}/operations?action=truncateTimeseriesAspect", payload)["value"]


def collect(pipeline_config):
    """Runs a recipe to its end, without reporting the run to the server."""
    from datahub.ingestion.run.pipeline import Pipeline

    pipeline = Pipeline.create(pipeline_config, report_to=None)
    pipeline.run()
    report = pipeline.source.get_report()
    failures = [f"{failure.message} {list(failure.context)}" for failure in report.failures]
    return {"failures": failures, "expiredTokensRevoked": report.expired_tokens_revoked}


def describe(_request):
    """Prints the contents of the release: aspects of its model, and keys of its `datahub-gc`."""
    step("time series aspects", time_series_aspects)
    step("keys", lambda: list(collector_config_class().model_fields))


def time_series_aspects():
    from datahub.metadata.schema_classes import ASPECT_NAME_MAP, KEY_ASPECTS

    return [
        [entity_type, aspect]
        for entity_type, key_aspect in KEY_ASPECTS.items()
        for aspect in key_aspect.ASPECT_INFO["entityAspects"]
        if aspect in ASPECT_NAME_MAP and ASPECT_NAME_MAP[aspect].ASPECT_TYPE == "timeseries"
    ]


def read_recipes(request):
    """Reads recipes as the command line does, up to the source's own configuration."""
    for name, text in request["recipes"].items():
        step(name, lambda: read_recipe(text))


def read_recipe(text):
    from datahub.ingestion.run.pipeline_config import PipelineConfig

    source = PipelineConfig.from_dict(load_recipe(text)).source
    assert source.type == "datahub-gc", source.type
    return collector_config_class().model_validate(source.config).model_dump(mode="json")


def run_recipe(request):
    """Runs a recipe as the command line does, with the server and the token in the environment."""
    os.environ.update(DATAHUB_GMS_URL=request["server"], DATAHUB_GMS_TOKEN=request["token"])
    step("collect", lambda: collect(load_recipe(request["recipe"])))


def load_recipe(text):
    from datahub.configuration.config_loader import load_config_file

    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/recipe.yml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return load_config_file(path)


def collector_config_class():
    from datahub.ingestion.source.gc.datahub_gc import DataHubGcSourceConfig

    return DataHubGcSourceConfig


request = json.load(sys.stdin)
commands = {"talk": talk, "describe": describe, "readRecipes": read_recipes, "runRecipe": run_recipe}
commands[request["command"]](request)
