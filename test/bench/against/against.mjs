// Compares the CPU time of a read, a creation and a step in this checkout with an earlier release. Both are alive at the same
// time and take turns, so the load of the machine meets both.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { round, summary } from '../measure.mjs';

/** Items of one turn. */
const MEASURES = { read: 400, create: 40, step: 400 };
const SUBJECT = fileURLToPath(new URL('subject.mjs', import.meta.url));

/** A row for each measure: the time of `now` divided by the time of `before`, both checkouts with a build. */
export async function compareReleases({ now, before, rounds }) {
  const subjects = { now: open(now), before: open(before) };
  try {
    await Promise.all(Object.values(subjects).map(({ ready }) => ready));
    const rows = [];
    for (const [measure, count] of Object.entries(MEASURES)) rows.push(await compare(subjects, measure, count, rounds));
    return rows;
  } finally {
    await Promise.all(Object.values(subjects).map(({ child }) => end(child)));
  }
}

async function compare(subjects, measure, count, rounds) {
  const samples = [];
  // The first turn compiles the code and fills the caches.
  for (let n = 0; n <= rounds; n += 1) {
    const sample = {};
    for (const name of n % 2 ? ['now', 'before'] : ['before', 'now'])
      sample[name] = await ask(subjects[name].child, { measure, count });
    if (n > 0) samples.push(sample);
  }
  const of = (name) => round(summary(samples.map((sample) => sample[name].micros)).median, 0);
  return {
    measure,
    ...summary(samples.map((sample) => sample.now.micros / sample.before.micros)),
    micros_now: of('now'),
    micros_before: of('before'),
  };
}

function open(root) {
  const child = fork(SUBJECT, [root], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  return { child, ready: answerOf(child) };
}

function ask(child, message) {
  const answer = answerOf(child);
  child.send(message);
  return answer;
}

async function answerOf(child) {
  const settled = new AbortController();
  const ended = once(child, 'exit', { signal: settled.signal }).then(
    () => Promise.reject(new Error('a measured release ended')),
    () => undefined,
  );
  const [answer] = await Promise.race([once(child, 'message', { signal: settled.signal }), ended]);
  settled.abort();
  return answer;
}

async function end(child) {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.send({ end: true });
  await exited;
}
