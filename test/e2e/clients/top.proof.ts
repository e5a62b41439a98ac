import { eventually, TestCloud, TestDeployment } from '@libs/testing';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CommandLine } from './command-line.js';
import { describeInTerminal } from './in-terminal.js';
import { PseudoTerminal, type WindowSize } from './pseudo-terminal.js';

const USUAL = { columns: 80, rows: 24 };
const DIST = join(import.meta.dirname, '../../../dist/packages/cli/src/top/terminal.js');
/** A title of the window, another screen, and colours. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[?1049l\u001b[2J\u001b[31mred';

describe('landlord top without a terminal', () => {
  it('ends with a message and code 2', async () => {
    const { code, stdout, stderr } = await new CommandLine({ LANDLORD_API_KEY: 'k' }).run('top');

    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/needs a terminal[^]*try: landlord deployments list-all/);
  });
});

describeInTerminal('landlord top', () => {
  let cloud: TestCloud;
  const open: PseudoTerminal[] = [];
  beforeAll(async () => {
    cloud = await TestCloud.borrow();
    await cloud.rows(`update tenants set plan_overrides = '{"deployment_tiers": {"free": 9}}'`);
    for (const deployment_name of ['orders', '注文データ', 'payments'])
      await TestDeployment.free(cloud, { deployment_name });
  });
  afterEach(() => open.splice(0).forEach((terminal) => terminal.end()));
  afterAll(() => cloud.stop());

  function start(size: WindowSize = USUAL): PseudoTerminal {
    const terminal = PseudoTerminal.landlord(CommandLine.for(cloud), ['top'], { size });
    open.push(terminal);
    return terminal;
  }

  async function isRestored(terminal: PseudoTerminal, code: number): Promise<void> {
    expect(await terminal.after()).toBe(`ended with ${code}: icanon echo`);
    expect([terminal.isAlternate, terminal.mouse]).toEqual([false, 'none']);
    expect(terminal.written).toContain('\u001b[?25h');
  }

  it('shows deployments, operations, nodes and logs, and chooses by keys and by the mouse', async () => {
    const terminal = start();
    await terminal.shows(/Nodes of payments[^]*node-1 +running[^]*broker is listening/);
    expect([terminal.isAlternate, terminal.mouse]).toEqual([true, 'vt200']);
    expect(terminal.rows[0]).toMatch(/landlord top.* 3 deployments, 3 ready/);
    expect(terminal.text).toMatch(/provision deployment +succeeded +100%/);

    terminal.type('\u001b[B');
    await terminal.shows(/Nodes of 注文データ[^]*node-1 +running/);
    const row = (name: string): number => terminal.rows.findIndex((line) => line.trimStart().startsWith(name));
    expect(terminal.inverse(row('注文データ'))).toContain('注文データ');
    terminal.click(4, row('orders'));
    await terminal.shows(/Nodes of orders[^]*node-1 +running[^]*Logs of orders/);
    terminal.type('\t');
    await terminal.shows('▶ Operations');

    terminal.resize({ columns: 140, rows: 40 });
    await terminal.shows(/▶ Operations[^]*─ Operations|─ Deployments ─+ {2}─ Nodes of orders/);
    expect(terminal.rows[39]).toMatch(/q quit/);
    terminal.resize({ columns: 40, rows: 12 });
    await terminal.shows(/^ landlord top[^\n]*\n▶ Operations/);
    terminal.type('q');
    await isRestored(terminal, 0);
  });

  it('shows escape sequences of log lines as text', async () => {
    const [row] = await cloud.rows<{ node: string; deployment: string }>(
      `select nodes.id as node, deployments.id as deployment from nodes join deployments on deployments.id = nodes.deployment_id
       where deployments.name = 'payments'`,
    );
    await cloud.rows(
      `insert into node_logs (deployment_id, node_id, at, runtime, level, message) values ($1, $2, now(), 'broker', 'error', $3)`,
      [row?.deployment, row?.node, `hostile ${HOSTILE}`],
    );
    const terminal = start({ columns: 160, rows: 40 });

    await terminal.shows('hostile �]0;owned��[?1049l�[2J�[31mred');
    expect(terminal.isAlternate).toBe(true);
    expect(terminal.written).not.toContain('\u001b]0;');
    terminal.type('\u0003');
    await isRestored(terminal, 0);
  });

  it('says that an API does not answer, and goes on when the API is back', async () => {
    const terminal = start({ columns: 100, rows: 30 });
    await terminal.shows(/node-1 +running/);

    await cloud.supervisor.kill();
    await terminal.shows(/Nodes of payments[^]*The Supervisor does not answer\. Trying again/);
    await cloud.mainApi.kill();
    await terminal.shows(/^ [0-9:]+ +The main API does not answer\. Trying again/);
    expect(terminal.text).toContain('注文データ');
    await Promise.all([cloud.mainApi.start(), cloud.supervisor.start()]);
    await terminal.shows(/^ landlord top/);
    await eventually('the Supervisor answers', async () => !terminal.text.includes('does not answer'));

    await TestDeployment.free(cloud, { deployment_name: 'newest' });
    await terminal.shows(/newest +initialized[^]*Nodes of payments/);
    terminal.type('q');
    await isRestored(terminal, 0);
  });

  it('gives the terminal back when another process ends the command', async () => {
    const terminal = start();
    await terminal.shows(/node-1 +running/);
    const [pid] = await eventually('the command runs', async () => terminal.processes());
    process.kill(pid ?? 0, 'SIGTERM');

    await isRestored(terminal, 130);
    expect(terminal.text).toContain('Ended by SIGTERM.');
  });

  it('gives the terminal back after an error that nobody catches', async () => {
    const open = `import(${JSON.stringify(pathToFileURL(DIST).href)}).then(({ openScreen }) => { openScreen({ onInput() {}, onResize() {}, onEnd() {} }, true).draw([[{ column: 0, text: "shown", style: "plain" }]]); process.stdin.once("data", () => { throw new TypeError("a bug"); }); })`;
    const terminal = new PseudoTerminal(new CommandLine(), `${process.execPath} -e '${open}'`, USUAL);
    await terminal.shows('shown');
    terminal.type('x');

    await isRestored(terminal, 1);
    expect(terminal.text).toContain('TypeError: a bug');
  });

  it('reports a wrong key before it takes the screen', async () => {
    const person = CommandLine.for(cloud, { LANDLORD_API_KEY: 'ld_wrong' });
    const terminal = PseudoTerminal.landlord(person, ['top'], { size: USUAL });

    await isUntouched(terminal, 3);
  });

  async function isUntouched(terminal: PseudoTerminal, code: number): Promise<void> {
    expect(await terminal.after()).toBe(`ended with ${code}: icanon echo`);
    expect(terminal.text).toContain('try: landlord login');
    expect(terminal.written).not.toContain('\u001b[?1049h');
  }
});
