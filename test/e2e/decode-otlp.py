# Decodes requests of OTLP/HTTP in JSON with the classes of the OpenTelemetry project: one request per line of standard input. Writes
# their metrics as JSON. A request that is not valid ends the program with an error.

import json
import sys

from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest


def attributes(message):
    return {each.key: each.value.string_value for each in message.attributes}


def point(kind, each):
    common = {"attributes": attributes(each), "start": each.start_time_unix_nano, "time": each.time_unix_nano}
    if kind != "histogram":
        return {**common, "value": each.as_double}
    return {
        **common,
        "count": each.count,
        "sum": each.sum,
        "counts": list(each.bucket_counts),
        "bounds": list(each.explicit_bounds),
    }


def metrics(request):
    for resource in request.resource_metrics:
        for scope in resource.scope_metrics:
            for metric in scope.metrics:
                kind = metric.WhichOneof("data")
                data = getattr(metric, kind)
                yield {
                    "resource": attributes(resource.resource),
                    "name": metric.name,
                    "description": metric.description,
                    "kind": kind,
                    "temporality": 0 if kind == "gauge" else data.aggregation_temporality,
                    "isMonotonic": kind == "sum" and data.is_monotonic,
                    "points": [point(kind, each) for each in data.data_points],
                }


lines = [line for line in sys.stdin if line.strip()]
json.dump([list(metrics(Parse(line, ExportMetricsServiceRequest()))) for line in lines], sys.stdout)
