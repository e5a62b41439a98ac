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

const hasTool = (language: string): boolean => spawnSync('which', [TOOLS[language] ?? '']).status === 0;

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

  /** What a person does with the texts of the page, in an empty folder. */
  async function play({ install, file, run, text, language }: Snippet): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), 'landlord-program-'));
    try {
      // People have a virtual environment.
      if (language === 'Python') await shell(folder, 'python3 -m venv .');
      if (install !== '') await shell(folder, install);
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
      return await shell(folder, run);
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

  for (const { language } of SNIPPETS(ANYWHERE)) {
    const tool = TOOLS[language] ?? '';
    const itWithTool = hasTool(language)
      ? it
      : (skippedTest(`${tool} is missing`, `Install ${tool} for the program in ${language}`) as typeof it);

    itWithTool(`in ${language} sends a message and receives it`, async ({ skip }) => {
      const snippet = SNIPPETS(to).find((one) => one.language === language) as Snippet;

      const printed = await play(snippet).catch((error: Error) => {
        if (NO_INDEX.test(error.message)) skip(`The packages for ${language} cannot be had here.`);
        throw error;
      });

      expect(printed).toContain(`hello Hello from ${language}`);
    });
  }
});
