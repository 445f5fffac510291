// Starts emulate's Slack with our workspace in it and its events sent to the front door.
//
// emulate has no setting for an events request URL and mints its own ids, so two methods of its plugin
// object are wrapped before the server is made: `seed` writes the given records, `register` subscribes
// the front door and adds one control route over the store. This leans on the names inside the package,
// hence the exact version in package.json.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { packageDir, frontDoor, records, seed } = JSON.parse(process.argv[2]);
const dist = join(packageDir, "dist");
const load = (name) => import(pathToFileURL(join(dist, name)));

const chunk = readdirSync(dist).find(
  (name) => /^dist-\w+\.js$/.test(name) && readFileSync(join(dist, name), "utf8").includes("slackPlugin"),
);
const { slackPlugin, getSlackStore } = await load(chunk);

slackPlugin.seed = (store) => {
  const collections = getSlackStore(store);
  for (const [name, rows] of Object.entries(records)) rows.forEach((row) => collections[name].insert(row));
};

const register = slackPlugin.register;
slackPlugin.register = function (app, store, webhooks, ...rest) {
  withoutHourlyLimit(app);
  app.post("/standin/store", async (c) => c.json(rowsOf(getSlackStore(store), await c.req.json())));
  webhooks.register({ url: `${frontDoor}/standin/events`, events: ["*"], active: true, owner: "slack" });
  return register.call(this, app, store, webhooks, ...rest);
};

// emulate refuses a token after 5,000 calls in an hour, as another service does that it emulates; Slack does not.
function withoutHourlyLimit(app) {
  const kept = app.middleware.filter(({ handlers }) => !handlers.some((h) => String(h).includes("X-RateLimit-")));
  if (kept.length === app.middleware.length) throw new Error("emulate's hourly limit was not found");
  app.middleware = kept;
}

// {collection, match, set?} -> the matching rows, after `set` was applied to each of them.
function rowsOf(collections, { collection, match, set }) {
  const table = collections[collection];
  const found = table.all().filter((row) => Object.entries(match).every(([key, value]) => row[key] === value));
  return set ? found.map((row) => table.update(row.id, set)) : found;
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

// emulate does not tell which port it got, so one is chosen here; another process may take it first.
async function start(attempts) {
  const { createEmulator } = await load("api.js");
  const port = await freePort();
  try {
    await createEmulator({ service: "slack", port, baseUrl: frontDoor, seed: { slack: seed } });
    return port;
  } catch (error) {
    if (attempts > 1 && error.code === "EADDRINUSE") return start(attempts - 1);
    throw error;
  }
}

const port = await start(5);
console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` }));

// Whoever started this holds our standard input; when it goes, however it goes, so do we.
process.stdin.resume().on("end", () => process.exit(0)).on("error", () => process.exit(0));
