"""What only shows below PySpark: calls as messages. Run by a client's interpreter, with the server's address in $REMOTE.

Each test has a session of its own; the messages are PySpark's own classes.
"""
import os
import threading
import time
import unittest
import uuid
import zlib

import grpc
import pyspark.sql.connect.proto as pb
from pyspark.sql.connect.proto.base_pb2_grpc import SparkConnectServiceStub

ADDRESS = os.environ["REMOTE"].replace("sc://", "")
LONG = "select count(*) from range(100000000000) where id % 7 = 3"  # minutes, if nobody interrupts it


class Session:
    """One session over one connection."""

    def __init__(self):
        self.id = str(uuid.uuid4())
        self.channel = grpc.insecure_channel(ADDRESS, options=[("grpc.max_receive_message_length", 128 << 20),
                                                               ("grpc.use_local_subchannel_pool", 1)])
        self.stub = SparkConnectServiceStub(self.channel)

    def user(self):
        return pb.UserContext(user_id="test")

    def plan(self, sql):
        return pb.Plan(root=pb.Relation(common=pb.RelationCommon(plan_id=1), sql=pb.SQL(query=sql)))

    def command(self, sql):
        relation = pb.Relation(common=pb.RelationCommon(plan_id=1), sql=pb.SQL(query=sql))
        return pb.Plan(command=pb.Command(sql_command=pb.SqlCommand(input=relation)))

    def request(self, plan, operation=None, reattachable=True, tags=()):
        request = pb.ExecutePlanRequest(session_id=self.id, user_context=self.user(), plan=plan, tags=list(tags))
        if operation:
            request.operation_id = operation
        option = pb.ExecutePlanRequest.RequestOption(
            reattach_options=pb.ReattachOptions(reattachable=reattachable))
        request.request_options.append(option)
        return request

    def run(self, sql, **options):
        return list(self.stub.ExecutePlan(self.request(self.plan(sql), **options)))

    def reattach(self, operation, last=None):
        request = pb.ReattachExecuteRequest(session_id=self.id, user_context=self.user(), operation_id=operation)
        if last:
            request.last_response_id = last
        return self.stub.ReattachExecute(request)

    def release(self, operation, until=None):
        request = pb.ReleaseExecuteRequest(session_id=self.id, user_context=self.user(), operation_id=operation)
        if until:
            request.release_until.response_id = until
        else:
            request.release_all.SetInParent()
        return self.stub.ReleaseExecute(request)

    def count(self, table):
        batches = [r.arrow_batch for r in self.run("select count(*) from " + table) if r.HasField("arrow_batch")]
        import pyarrow
        return pyarrow.ipc.open_stream(batches[0].data).read_all().to_pylist()[0]["count(1)"]


def state_of(error):
    return error.code().name, error.details()


class Streams(unittest.TestCase):
    def setUp(self):
        self.session = Session()

    def test_answers_name_session_operation_and_themselves(self):
        operation = str(uuid.uuid4())
        answers = self.session.run("select 1 as x", operation=operation)
        self.assertEqual({a.session_id for a in answers}, {self.session.id})
        self.assertEqual({a.operation_id for a in answers}, {operation})
        self.assertEqual(len({a.response_id for a in answers}), len(answers))
        self.assertEqual(len({a.server_side_session_id for a in answers}), 1)
        self.assertTrue(answers[0].HasField("schema"))
        self.assertTrue(answers[-1].HasField("result_complete"))
        self.assertEqual([a.arrow_batch.row_count for a in answers if a.HasField("arrow_batch")], [1])

    def test_an_empty_result_has_one_batch(self):
        answers = self.session.run("select 1 as x where false")
        self.assertEqual([a.arrow_batch.row_count for a in answers if a.HasField("arrow_batch")], [0])

    def test_batches_are_counted_through(self):
        batches = [a.arrow_batch for a in self.session.run("select * from range(25000)") if a.HasField("arrow_batch")]
        start = 0
        for batch in batches:
            self.assertEqual(batch.start_offset, start)
            self.assertLessEqual(batch.row_count, 10000)
            start += batch.row_count
        self.assertEqual(start, 25000)

    def test_a_lost_stream_is_taken_up_where_it_broke(self):
        operation = str(uuid.uuid4())
        whole = self.session.run("select * from range(30000)", operation=operation)
        again = list(self.session.reattach(operation))
        self.assertEqual([a.response_id for a in again], [a.response_id for a in whole])
        rest = list(self.session.reattach(operation, whole[1].response_id))
        self.assertEqual([a.response_id for a in rest], [a.response_id for a in whole[2:]])
        self.session.release(operation)
        with self.assertRaises(grpc.RpcError) as caught:
            list(self.session.reattach(operation))
        self.assertIn("INVALID_HANDLE.OPERATION_ABANDONED", caught.exception.details())

    def test_released_answers_are_gone(self):
        operation = str(uuid.uuid4())
        whole = self.session.run("select * from range(30000)", operation=operation)
        self.session.release(operation, whole[1].response_id)
        self.assertEqual(len(list(self.session.reattach(operation, whole[2].response_id))), len(whole) - 3)
        with self.assertRaises(grpc.RpcError) as caught:
            list(self.session.reattach(operation))
        self.assertIn("INVALID_CURSOR.POSITION_NOT_AVAILABLE", caught.exception.details())

    def test_a_command_never_runs_twice(self):
        table = "t" + uuid.uuid4().hex
        list(self.session.stub.ExecutePlan(self.session.request(
            self.session.command("create table %s (id int) using iceberg" % table))))
        operation = str(uuid.uuid4())
        request = self.session.request(self.session.command("insert into %s values (1)" % table), operation=operation)
        first = list(self.session.stub.ExecutePlan(request))
        second = list(self.session.stub.ExecutePlan(request))
        self.assertEqual([a.response_id for a in first], [a.response_id for a in second])
        self.session.release(operation)
        with self.assertRaises(grpc.RpcError) as caught:
            list(self.session.stub.ExecutePlan(request))
        self.assertIn("INVALID_HANDLE.OPERATION_ABANDONED", caught.exception.details())
        self.assertEqual(self.session.count(table), 1)

    def test_an_id_is_used_for_one_plan(self):
        operation = str(uuid.uuid4())
        self.session.run("select 1", operation=operation)
        with self.assertRaises(grpc.RpcError) as caught:
            self.session.run("select 2", operation=operation)
        self.assertIn("INVALID_HANDLE.OPERATION_ALREADY_EXISTS", caught.exception.details())

    def test_names_are_uuids(self):
        self.session.id = "me"
        with self.assertRaises(grpc.RpcError) as caught:
            self.session.run("select 1")
        self.assertIn("INVALID_HANDLE.FORMAT", caught.exception.details())

    def test_compressed_plans(self):
        try:
            import zstandard
        except ImportError:
            self.skipTest("no zstandard here")
        if not hasattr(pb.Plan, "CompressedOperation"):
            self.skipTest("this client does not compress plans")
        data = zstandard.compress(self.session.plan("select 42 as x").root.SerializeToString())
        plan = pb.Plan()
        plan.compressed_operation.data = data
        plan.compressed_operation.op_type = pb.Plan.CompressedOperation.OP_TYPE_RELATION
        plan.compressed_operation.compression_codec = pb.COMPRESSION_CODEC_ZSTD
        answers = list(self.session.stub.ExecutePlan(self.session.request(plan)))
        self.assertTrue(answers[-1].HasField("result_complete"))
        plan.compressed_operation.data = zstandard.compress(bytes(300 << 20))
        with self.assertRaises(grpc.RpcError):
            list(self.session.stub.ExecutePlan(self.session.request(plan)))


@unittest.skipUnless(hasattr(pb, "GetStatusRequest"), "this client has no GetStatus")
class States(unittest.TestCase):
    def test_states_of_operations(self):
        session = Session()
        fine, wrong, none = (str(uuid.uuid4()) for _ in range(3))
        session.run("select 1", operation=fine)
        with self.assertRaises(grpc.RpcError):
            session.run("select 1 / 0", operation=wrong)
        request = pb.GetStatusRequest(session_id=session.id, user_context=session.user())
        request.operation_status.operation_ids.extend([fine, wrong, none])
        states = {s.operation_id: s.state for s in session.stub.GetStatus(request).operation_statuses}
        names = pb.GetStatusResponse.OperationStatus
        self.assertEqual(states, {fine: names.OPERATION_STATE_SUCCEEDED, wrong: names.OPERATION_STATE_FAILED,
                                  none: names.OPERATION_STATE_UNKNOWN})


class Interrupts(unittest.TestCase):
    def setUp(self):
        self.session = Session()

    def start(self, **options):
        stream = self.session.stub.ExecutePlan(self.session.request(self.session.plan(LONG), **options))
        outcome = {}

        def read():
            try:
                list(stream)
            except grpc.RpcError as error:
                outcome["error"] = error
            outcome["at"] = time.monotonic()

        thread = threading.Thread(target=read)
        thread.start()
        time.sleep(0.7)
        self.assertNotIn("at", outcome)
        return thread, outcome

    def interrupt(self, **how):
        return self.session.stub.Interrupt(pb.InterruptRequest(session_id=self.session.id,
                                                               user_context=self.session.user(), **how))

    def check_soon(self, thread, outcome, began):
        thread.join(10)
        self.assertIn("at", outcome)
        self.assertLess(outcome["at"] - began, float(os.environ.get("INTERRUPT_S", "0.2")))
        self.assertIn("OPERATION_CANCELED", outcome["error"].details())

    def test_all(self):
        thread, outcome = self.start()
        began = time.monotonic()
        answer = self.interrupt(interrupt_type=pb.InterruptRequest.INTERRUPT_TYPE_ALL)
        self.assertEqual(len(answer.interrupted_ids), 1)
        self.check_soon(thread, outcome, began)

    def test_tag(self):
        thread, outcome = self.start(tags=["mine"])
        answer = self.interrupt(interrupt_type=pb.InterruptRequest.INTERRUPT_TYPE_TAG, operation_tag="other")
        self.assertEqual(len(answer.interrupted_ids), 0)
        began = time.monotonic()
        self.interrupt(interrupt_type=pb.InterruptRequest.INTERRUPT_TYPE_TAG, operation_tag="mine")
        self.check_soon(thread, outcome, began)

    def test_operation(self):
        operation = str(uuid.uuid4())
        thread, outcome = self.start(operation=operation)
        began = time.monotonic()
        answer = self.interrupt(interrupt_type=pb.InterruptRequest.INTERRUPT_TYPE_OPERATION_ID, operation_id=operation)
        self.assertEqual(list(answer.interrupted_ids), [operation])
        self.check_soon(thread, outcome, began)
        self.session.run("select 1")  # the session is not harmed

    def test_release_stops_it(self):
        operation = str(uuid.uuid4())
        thread, outcome = self.start(operation=operation)
        began = time.monotonic()
        self.session.release(operation)
        self.check_soon(thread, outcome, began)

    def test_one_of_two(self):
        thread, outcome = self.start()
        operation = str(uuid.uuid4())
        other, stopped = self.start(operation=operation)
        began = time.monotonic()
        self.interrupt(interrupt_type=pb.InterruptRequest.INTERRUPT_TYPE_OPERATION_ID, operation_id=operation)
        self.check_soon(other, stopped, began)
        self.session.run("select 1")  # beside the one that still runs
        self.assertNotIn("at", outcome)
        began = time.monotonic()
        self.interrupt(interrupt_type=pb.InterruptRequest.INTERRUPT_TYPE_ALL)
        self.check_soon(thread, outcome, began)

    def test_a_caller_that_cannot_come_back_stops_it(self):
        operation = str(uuid.uuid4())
        stream = self.session.stub.ExecutePlan(self.session.request(self.session.plan(LONG), operation=operation,
                                                                    reattachable=False))
        time.sleep(0.5)
        self.assertIn("ALREADY_EXISTS", self.what_is(operation))
        stream.cancel()
        until = time.monotonic() + 5
        while "ABANDONED" not in self.what_is(operation) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertIn("ABANDONED", self.what_is(operation))

    def what_is(self, operation):
        with self.assertRaises(grpc.RpcError) as caught:
            self.session.run("select 2", operation=operation)
        return caught.exception.details()

    def test_the_end_of_the_session_stops_it(self):
        thread, outcome = self.start()
        began = time.monotonic()
        self.session.stub.ReleaseSession(pb.ReleaseSessionRequest(session_id=self.session.id,
                                                                  user_context=self.session.user()))
        self.check_soon(thread, outcome, began)
        with self.assertRaises(grpc.RpcError) as caught:
            self.session.run("select 1")
        self.assertIn("INVALID_HANDLE.SESSION_CLOSED", caught.exception.details())


class Artifacts(unittest.TestCase):
    def setUp(self):
        self.session = Session()

    def request(self, **payload):
        return pb.AddArtifactsRequest(session_id=self.session.id, user_context=self.session.user(), **payload)

    def chunk(self, data, crc=None):
        return pb.AddArtifactsRequest.ArtifactChunk(data=data, crc=zlib.crc32(data) if crc is None else crc)

    def one(self, name, data, crc=None):
        artifact = pb.AddArtifactsRequest.SingleChunkArtifact(name=name, data=self.chunk(data, crc))
        return self.request(batch=pb.AddArtifactsRequest.Batch(artifacts=[artifact]))

    def exists(self, *names):
        answer = self.session.stub.ArtifactStatus(pb.ArtifactStatusesRequest(
            session_id=self.session.id, user_context=self.session.user(), names=names))
        return [answer.statuses[name].exists for name in names]

    def test_whole_and_in_pieces(self):
        begin = pb.AddArtifactsRequest.BeginChunkedArtifact(name="cache/b", total_bytes=6, num_chunks=3,
                                                            initial_chunk=self.chunk(b"ab"))
        answer = self.session.stub.AddArtifacts(iter([
            self.one("cache/a", b"xyz"), self.request(begin_chunk=begin),
            self.request(chunk=self.chunk(b"cd")), self.request(chunk=self.chunk(b"ef"))]))
        self.assertEqual([(a.name, a.is_crc_successful) for a in answer.artifacts],
                         [("cache/a", True), ("cache/b", True)])
        self.assertEqual(self.exists("cache/a", "cache/b", "cache/c", "jars/a"), [True, True, False, False])

    def test_damage_is_told(self):
        answer = self.session.stub.AddArtifacts(iter([self.one("cache/d", b"xyz", crc=7)]))
        self.assertEqual([a.is_crc_successful for a in answer.artifacts], [False])
        self.assertEqual(self.exists("cache/d"), [False])

    def test_code_is_refused(self):
        for name in ("jars/x.jar", "classes/x.class", "pyfiles/x.py", "files/x.txt", "archives/x.zip"):
            with self.assertRaises(grpc.RpcError) as caught:
                self.session.stub.AddArtifacts(iter([self.one(name, b"x")]))
            self.assertIn("UNSUPPORTED_FEATURE", caught.exception.details())

    def test_an_upload_that_ends_early(self):
        begin = pb.AddArtifactsRequest.BeginChunkedArtifact(name="cache/e", total_bytes=6, num_chunks=3,
                                                            initial_chunk=self.chunk(b"ab"))
        with self.assertRaises(grpc.RpcError):
            self.session.stub.AddArtifacts(iter([self.request(begin_chunk=begin)]))
        self.assertEqual(self.exists("cache/e"), [False])


class Errors(unittest.TestCase):
    def test_details_can_be_fetched_once(self):
        from google.rpc import error_details_pb2
        from grpc_status import rpc_status
        session = Session()
        with self.assertRaises(grpc.RpcError) as caught:
            session.run("select * from nope where 1 = 1")
        status = rpc_status.from_call(caught.exception)
        info = error_details_pb2.ErrorInfo()
        status.details[0].Unpack(info)
        self.assertEqual(info.metadata["errorClass"], "TABLE_OR_VIEW_NOT_FOUND")
        request = pb.FetchErrorDetailsRequest(session_id=session.id, user_context=session.user(),
                                              error_id=info.metadata["errorId"])
        answer = session.stub.FetchErrorDetails(request)
        error = answer.errors[answer.root_error_idx]
        self.assertEqual(error.spark_throwable.message_parameters["relationName"], "`nope`")
        self.assertEqual(error.spark_throwable.sql_state, "42P01")
        context = error.spark_throwable.query_contexts[0]
        self.assertEqual((context.start_index, context.stop_index, context.fragment), (14, 17, "nope"))
        self.assertFalse(error.stack_trace)
        self.assertFalse(session.stub.FetchErrorDetails(request).errors)

    def test_holes_in_messages(self):
        session = Session()
        plans = [pb.Plan(), pb.Plan(root=pb.Relation()), pb.Plan(command=pb.Command()),
                 pb.Plan(root=pb.Relation(filter=pb.Filter())), pb.Plan(root=pb.Relation(show_string=pb.ShowString())),
                 pb.Plan(root=pb.Relation(project=pb.Project(expressions=[pb.Expression()]))),
                 pb.Plan(command=pb.Command(sql_command=pb.SqlCommand())),
                 pb.Plan(command=pb.Command(create_dataframe_view=pb.CreateDataFrameViewCommand())),
                 pb.Plan(command=pb.Command(write_operation=pb.WriteOperation())),
                 pb.Plan(command=pb.Command(checkpoint_command=pb.CheckpointCommand()))]
        for plan in plans:
            with self.assertRaises(grpc.RpcError):
                list(session.stub.ExecutePlan(session.request(plan)))
        with self.assertRaises(grpc.RpcError):
            session.stub.AnalyzePlan(pb.AnalyzePlanRequest(session_id=session.id))
        with self.assertRaises(grpc.RpcError):
            session.stub.Config(pb.ConfigRequest(session_id=session.id))
        session.run("select 1")

    def test_a_changed_server_is_noticed(self):
        session = Session()
        session.run("select 1")
        request = session.request(session.plan("select 1"))
        request.client_observed_server_side_session_id = str(uuid.uuid4())
        with self.assertRaises(grpc.RpcError) as caught:
            list(session.stub.ExecutePlan(request))
        self.assertIn("INVALID_HANDLE.SESSION_CHANGED", caught.exception.details())


class Recorded(unittest.TestCase):
    """Plans that clients of three versions have sent: each gets rows, or an error with a text."""

    def test_plans(self):
        session = Session()
        folder = os.environ["PLANS"]
        answered = 0
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as file:
                data = file.read()
            plan = pb.Plan()
            try:
                (plan.command if data[0] == 1 else plan.root).ParseFromString(data[1:])
            except Exception:
                continue  # found by the fuzzer: no message
            for ask in (self.analyze, self.execute):
                try:
                    ask(session, plan)
                    answered += 1
                except grpc.RpcError as error:
                    self.assertIn(error.code(), (grpc.StatusCode.INTERNAL, grpc.StatusCode.DEADLINE_EXCEEDED), name)
                    self.assertTrue(error.details(), name)
        self.assertGreater(answered, 30)
        session.run("select 1")

    def execute(self, session, plan):
        list(session.stub.ExecutePlan(session.request(plan, reattachable=False), timeout=5))

    def analyze(self, session, plan):
        request = pb.AnalyzePlanRequest(session_id=session.id, user_context=session.user())
        request.schema.plan.CopyFrom(plan)
        session.stub.AnalyzePlan(request, timeout=5)


class Floods(unittest.TestCase):
    """Nobody's session is harmed by others' bad manners."""

    def check_served(self):
        began = time.monotonic()
        Session().run("select 1")
        self.assertLess(time.monotonic() - began, 3)

    def test_half_open_streams(self):
        channel = Session().channel
        never = threading.Event()

        def nothing():
            never.wait(30)
            return iter(())

        call = channel.stream_stream("/spark.connect.SparkConnectService/ExecutePlan")
        calls = []
        for _ in range(300):
            def requests():
                never.wait(30)
                yield b""
            calls.append(call(requests()))
        time.sleep(0.5)
        self.check_served()
        for one in calls:
            one.cancel()
        never.set()

    def test_huge_messages(self):
        session = Session()
        call = session.channel.unary_stream("/spark.connect.SparkConnectService/ExecutePlan")
        with self.assertRaises(grpc.RpcError) as caught:
            list(call(bytes(130 << 20)))
        self.assertEqual(caught.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        self.check_served()

    def test_garbage(self):
        session = Session()
        call = session.channel.unary_stream("/spark.connect.SparkConnectService/ExecutePlan")
        for data in (b"\xff" * 100, b"\x0a\xff\xff\xff\xff\x0f", bytes(1 << 20)):
            with self.assertRaises(grpc.RpcError) as caught:
                list(call(data))
            self.assertEqual(caught.exception.code(), grpc.StatusCode.INVALID_ARGUMENT)
        self.check_served()

    def test_deep_plans(self):
        session = Session()
        relation = pb.Relation(sql=pb.SQL(query="select 1"))
        data = relation.SerializeToString()
        for _ in range(3000):
            inner = b"\x0a" + varint(len(data)) + data
            data = b"\x42" + varint(len(inner)) + inner  # limit{input}
        call = session.channel.unary_stream("/spark.connect.SparkConnectService/ExecutePlan")
        root = b"\x0a" + varint(len(data)) + data
        plan = b"\x1a" + varint(len(root)) + root
        with self.assertRaises(grpc.RpcError):
            list(call(b"\x0a\x24" + session.id.encode() + plan))
        self.check_served()

    def test_slow_readers(self):
        streams = []
        for _ in range(4):
            session = Session()
            stream = session.stub.ExecutePlan(session.request(session.plan("select id, repeat('x', 1000) from range(2000000)")))
            next(stream)
            streams.append(stream)
        time.sleep(1)
        self.check_served()
        for stream in streams:
            stream.cancel()


def varint(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


if __name__ == "__main__":
    unittest.main(verbosity=2)
