// node scripts/pictures/pictures.mjs [--to <folder>]: makes the pictures of the documents from a running Landlord: the console in both themes, and the first commands
// in a terminal. They are SVG, so they are texts that a person can compare. Needs Chromium (CHROMIUM_BIN) and a build.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { eventually } from '../../docker/check/eventually.mjs';
import { ROOT } from '../build-stamp.mjs';
import { drawnPage } from './drawn-page.mjs';
import { COLUMNS, drawnTerminal } from './terminal.mjs';

const VIEW = { width: 1280, height: 640 };
const CHROMIUM = process.env.CHROMIUM_BIN ?? '/usr/bin/chromium';
const START_MS = 120_000;
/** The commands of the cast. `mqtt` is the client of the quick start. */
const SESSION = [
  'landlord deployments create --starter --name hello --wait',
  'landlord deployments list',
  'landlord deployments connect hello --exec \\\n    mqtt pub -h {host} -p {port} -u {username} -P {password} -t eu/new -m "order 4711" --retain',
  'head -n 1 <(landlord deployments connect hello --exec \\\n    mqtt sub -h {host} -p {port} -u {username} -P {password} -t "eu/#" -v)',
  'landlord why hello',
];
/** What the console shows. */
const CLUSTER = [
  'landlord deployments create --managed --name orders --cloud aws --region us-east-1 --tier small --managed-tier standard --cluster cluster --wait',
  'landlord rules add --my-ip -d orders --name office',
];

// eslint-disable-next-line no-control-regex -- what a terminal gets
const CONTROLS = /\x1b\[[0-9;?]*[A-Za-z]|[\r\x07]/g;

/** Returns the text of each picture by the name of its file. */
export async function makePictures() {
  const directory = mkdtempSync(join(tmpdir(), 'landlord-pictures-'));
  const landlord = await start(directory);
  try {
    const terminal = drawnTerminal(
      'The first commands with Landlord',
      SESSION.map((command) => landlord.run(command)),
    );
    for (const command of CLUSTER) landlord.run(command);
    return { 'terminal.svg': terminal, ...(await consoleOf(landlord)) };
  } finally {
    await landlord.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function consoleOf(landlord) {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const pictures = {};
  try {
    const context = await browser.newContext({ viewport: VIEW, colorScheme: 'light', locale: 'en' });
    const page = await context.newPage();
    await page.goto(landlord.link);
    await page.getByRole('button', { name: 'Go to my cloud' }).click();
    await page.getByRole('link', { name: 'orders', exact: true }).click();
    await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
    for (const scheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await page.waitForLoadState('networkidle');
      pictures[`console-${scheme}.svg`] = await page.evaluate(drawnPage, `The console of Landlord, ${scheme} theme`);
      if (process.env.PICTURES_SHOTS)
        await page.screenshot({ path: join(process.env.PICTURES_SHOTS, `console-${scheme}.png`) });
    }
  } finally {
    await browser.close();
  }
  return pictures;
}

/** Starts Landlord with all of its data below the directory. */
async function start(directory) {
  const [main, supervisor, gateway] = await Promise.all([1, 2, 3].map(freePort));
  const data = join(directory, 'data');
  const env = {
    ...{ PATH: process.env.PATH, HOME: directory, LANDLORD_DATA_DIR: data, LOCAL_BROKER: 'embedded' },
    ...{ MAIN_API_PORT: String(main), SUPERVISOR_PORT: String(supervisor), GATEWAY_PORT: String(gateway) },
  };
  const child = spawn(process.execPath, [join(ROOT, 'dist/libs/launcher/src/main.js'), 'start'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  await eventually('Landlord is running', () => output.includes('Press Ctrl-C') || child.exitCode !== null, START_MS);
  if (child.exitCode !== null) throw new Error(`Landlord did not start:\n${output}`);
  return {
    link: /http:\/\/localhost:\d+\/console\/welcome#[\w-]{43}/.exec(output)[0],
    run: (command) => {
      const begin = performance.now();
      const PATH = [join(data, 'bin'), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(':');
      const env = { PATH, HOME: directory, SHELL: '/bin/bash', TERM: 'xterm-256color' };
      // In a terminal of its own, because commands write for people only there.
      const output = execFileSync('script', ['-qec', `stty cols ${COLUMNS}; ${command}`, '/dev/null'], {
        cwd: directory,
        encoding: 'utf8',
        env,
      });
      return { command, output: output.replace(CONTROLS, ''), seconds: (performance.now() - begin) / 1000 };
    },
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { to: { type: 'string', default: join(ROOT, 'docs/pictures') } } });
  const folder = resolve(values.to);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await makePictures())) {
    writeFileSync(join(folder, name), text);
    console.log(`${String(text.length).padStart(8)}  ${name}`);
  }
}
