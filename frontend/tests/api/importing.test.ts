import { afterEach, describe, expect, it, vi } from "vitest";
import { formOf, importFiles, worthSending } from "../../src/api/importing";
import type { Chosen } from "../../src/api/importing";
import { ApiError } from "../../src/api/problem";
import type { JobInfo } from "../../src/api/types";

const DUMP: Chosen = { file: new File(["{}"], "dump.json"), path: "team/dump.json" };

function job(change: Partial<JobInfo>): JobInfo {
  return { id: "j1", kind: "import", status: "running", progress: {}, result: null, errors: [], message: "", ...change };
}

/** Answers each request in turn and notes what was asked. */
function server(...answers: [number, unknown][]): string[] {
  const asked: string[] = [];
  vi.stubGlobal("document", { cookie: "" });
  vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
    asked.push(`${init.method ?? "GET"} ${path}`);
    const [status, body] = answers.shift()!;
    return Promise.resolve(new Response(JSON.stringify(body), { status }));
  });
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

describe("importFiles", () => {
  it("takes a small import's cluster as it comes", async () => {
    const asked = server([201, { id: "c1" }]);
    const options = { name: "Shop", redact: true, skipInvalid: true };
    expect(await importFiles([DUMP], options, () => undefined, new AbortController().signal)).toBe("c1");
    expect(asked).toEqual(["POST /api/v1/clusters/import?name=Shop&redact=true&skip_invalid=true"]);
  });

  it("follows a large one's job, telling of it, to its cluster", async () => {
    const told: unknown[] = [];
    const asked = server(
      [202, job({ status: "pending" })],
      [202, job({ progress: { text: "Reading", done: 1, total: 2, unit: "bytes" } })],
      [200, job({ status: "finished", result: { cluster: "c2" } })],
    );
    const tell = (each: JobInfo) => told.push(each.progress.text);
    expect(await importFiles([DUMP], {}, tell, new AbortController().signal)).toBe("c2");
    expect(told).toEqual([undefined, "Reading"]);
    expect(asked).toEqual(["POST /api/v1/clusters/import", "GET /api/v1/jobs/j1", "GET /api/v1/jobs/j1"]);
  });

  it("says why a job failed, with the places", async () => {
    const errors = [{ file: "dump.json", line: 3, message: "wrong" }];
    server([202, job({})], [200, job({ status: "failed", message: "Refused.", errors, result: { status: 422 } })]);
    const failure = await importFiles([DUMP], {}, () => undefined, new AbortController().signal).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 422, message: "Refused.", errors });
  });

  it("stops following when told to", async () => {
    server([202, job({})]);
    const stop = new AbortController();
    const ended = importFiles([DUMP], {}, () => stop.abort(), stop.signal);
    await expect(ended).rejects.toHaveProperty("name", "AbortError");
  });
});

describe("what is sent", () => {
  it("sends each file with where it lay", () => {
    const form = formOf([DUMP]);
    expect((form.get("file") as File).name).toBe("dump.json");
    expect(form.getAll("path")).toEqual(["team/dump.json"]);
  });

  it("leaves hidden files and what is no manifest where they are", () => {
    expect(["a.yaml", "a/b.YML", "a/b.json", "x.tar.gz", "x.zip"].every(worthSending)).toBe(true);
    expect([".git/config.yaml", "README.md", "a/.hidden.json", "logs.txt"].some(worthSending)).toBe(false);
  });
});
