"""Runs DataHub's own client for a request on standard input.

Writes one line of JSON for each step: {"step": name, "value": …}, or {"step": name, "error": text} after an
exception of the client.
"""

import json
import os
import sys
import tempfile

# The client's own output must not get between the lines.
lines = sys.stdout
sys.stdout = sys.stderr


def step(name, work):
    """Prints the result of the work, or the exception."""
    try:
        line = {"step": name, "value": work()}
    except Exception as error:  # noqa: BLE001 -- any exception of the client is the result
        line = {"step": name, "error": f"{type(error).__name__}: {error}"}
    print(json.dumps(line, default=str), file=lines, flush=True)


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
commands = {"describe": describe, "readRecipes": read_recipes, "runRecipe": run_recipe}
commands[request["command"]](request)
