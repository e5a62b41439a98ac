import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BROKER_OF_THE_RUN, skippedTest, TestCloud, TestDeployment } from '@libs/testing';
import { iggySnippets } from '../../../packages/console/src/lib/iggy-snippets.js';
import { mqttSnippets, type Connection, type Snippet } from '../../../packages/console/src/lib/snippets.js';

/** The program that the first command of a language needs. */
const TOOLS: Readonly<Record<string, string>> = {
  ...{
    JavaScript: 'npm',
    Python: 'python3',
    Go: 'go',
    Java: BROKER_OF_THE_RUN === 'iggy' ? 'java' : 'mvn',
    'C#': 'dotnet',
    Rust: 'cargo',
  },
};
/** The programs for the broker of this run, and the port that they use. */
const SNIPPETS = BROKER_OF_THE_RUN === 'iggy' ? iggySnippets : mqttSnippets;
const OVER = BROKER_OF_THE_RUN === 'iggy' ? 'http' : 'tcp';
const ANYWHERE: Connection = { host: 'localhost', port: 1, username: 'user', password: 'password' };

/** What the tools say when no index of packages answers. */
const NO_INDEX =
  /ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|Temporary failure in name|Could not (resolve|transfer)|Unknown host|no such host|dial tcp|Couldn't resolve host|spurious network error/;

/** What a person does with the texts of the page, in an empty folder. */
const play = ({ install, file, run, text, language }: Snippet): Promise<string> =>
  inPlace(language, install, async (folder) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    return await shell(folder, run);
  });

/** Whether the tool of the language is here, and gets the packages from their index. */
async function hasPackages({ language, install }: Snippet): Promise<boolean> {
  if (spawnSync('which', [TOOLS[language] ?? '']).status !== 0) return false;
  try {
    return await inPlace(language, install, async () => true);
  } catch (error) {
    if (NO_INDEX.test((error as Error).message)) return false;
    throw error;
  }
}

/** Does the work in a folder with the packages, and deletes the folder. */
async function inPlace<T>(language: string, install: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'landlord-program-'));
  try {
    // People have a virtual environment.
    if (language === 'Python') await shell(folder, 'python3 -m venv .');
    if (install !== '') await shell(folder, install);
    return await work(folder);
  } finally {
    // Go makes its modules read-only, but they are elsewhere.
    rmSync(folder, { recursive: true, force: true });
  }
}

function shell(folder: string, line: string): Promise<string> {
  const env = { ...process.env, PATH: `${folder}/bin:${process.env['PATH'] ?? ''}`, npm_config_audit: 'false' };
  const child = spawn('sh', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, all] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
    all += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => (all += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.once('close', (code) => (code === 0 ? resolve(stdout) : reject(new TypeError(`${line}\n${all}`)))),
  );
}

const languages = new Set<string>();
for (const snippet of SNIPPETS(ANYWHERE)) if (await hasPackages(snippet)) languages.add(snippet.language);

/** The programs of the page "Connect", installed and started with the commands that stand beside them. */
describe('A program of the console', () => {
  let cloud: TestCloud;
  let to: Connection;
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    const { id } = await TestDeployment.free(cloud, { deployment_name: 'for-programs' });
    const [{ nodes }, login] = await Promise.all([
      cloud.landlord.runtime.get({ deployment_id: id }),
      cloud.landlord.runtime.getCredentials({ deployment_id: id }),
    ]);
    const [host = '', port = ''] = (nodes[0]?.endpoints[OVER] ?? '').split(/:(?=\d+$)/);
    to = { host, port: Number(port), username: login.username, password: login.password };
  });
  afterAll(() => cloud.stop());

  for (const { language } of SNIPPETS(ANYWHERE)) {
    const tool = TOOLS[language] ?? '';
    const itWithTool = languages.has(language)
      ? it
      : skippedTest(`${tool} or its packages are missing`, `Install ${tool} for the program in ${language}`);

    itWithTool(`in ${language} sends a message and receives it`, async () => {
      const printed = await play(SNIPPETS(to).find((one) => one.language === language) as Snippet);

      expect(printed).toContain(`hello Hello from ${language}`);
    });
  }
});
