import { built } from './apps.mjs';

/** docs/failed-starts.md, from the list of causes in the code. */
export async function failedStartFiles() {
  const { START_CAUSES } = await built('libs/domain/src/starts/index.js');
  return { 'docs/failed-starts.md': failedStartsPage(Object.values(START_CAUSES)) };
}

/** The page as Markdown. */
export function failedStartsPage(causes) {
  const table = (wanted) => causes.filter(({ exit }) => (exit === null) === wanted).map(row);
  return [
    INTRODUCTION,
    '',
    '## Starts that fail',
    '',
    ...HEAD,
    ...table(false),
    '',
    '## Starts with a warning',
    '',
    'The process starts. It prints the warning once: the launcher on the terminal, an app in its log.',
    '',
    ...HEAD,
    ...table(true),
    '',
    OTHER_FAILURES,
  ].join('\n');
}

const HEAD = ['| Cause | Message | What to do | Exit code |', '|---|---|---|---|'];

function row({ when, says, todo, exit }) {
  const cells = [when, inWords(says), inWords(todo), exit === null ? 'starts' : `${exit}`];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** `{name}` is a fact of the case. */
const inWords = (text) =>
  text
    .replaceAll(/\{(\w+)\}/g, '*$1*')
    .replaceAll('\n', ' ')
    .replaceAll('<', '&lt;')
    .trim();

const INTRODUCTION = `# Failed starts

The launcher (\`npm start\`), \`landlord migrate\` and both apps check everything that they need before they begin any work. If
something is missing, the process prints one message with the necessary change, changes nothing, and exits. The message never
contains a password or a key.

- Exit code 75: the same start can succeed later. The cause is outside of Landlord.
- Exit code 78: a person must change something first. With systemd, set \`RestartPreventExitStatus=78\`.

An app waits up to 5 seconds for PostgreSQL, because containers start at the same time. The launcher does not wait. Words in
italics are facts of your case.

\`npm run golden\` generates this page from the list of causes in the code (libs/domain/src/starts/start-causes.ts). The files
\`test/e2e/launcher/failed-starts*.proof.ts\` have a test for each row, and
\`libs/launcher/src/verbs/upgrade.proof.ts\` for the rows of \`upgrade\`.`;

const OTHER_FAILURES = `## Other failures

- An app that ends three times before it is ready: the launcher prints the last lines of its log and exits with 1. An app that
  exits with 78: the launcher prints the message of the app once and exits with 78.
- The embedded PostgreSQL does not start for another reason: the launcher prints the last lines of \`logs/postgres.log\` and exits
  with 1.
- \`landlord-server\` of a release cannot copy its programs into the data directory: it says why, and exits with 75 for a full disk and with 78
  otherwise. It exits with 78 where it may use less than 512 MiB of memory.
- A start that prints a stack is a bug of Landlord.
`;
