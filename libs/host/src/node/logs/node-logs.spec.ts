import { NodeUnderTest, until } from '../../../test/node/agent.fixture.js';

describe('the logs of a node', () => {
  let node: NodeUnderTest;
  beforeEach(async () => {
    node = await NodeUnderTest.create();
    node.gateway.publish(node.spec, 1);
  });
  afterEach(() => node.destroy());

  const messages = (): string[] =>
    node.gateway.logs.flatMap(({ lines }) => lines.map(({ runtime, message }) => `${runtime}: ${message}`));

  it('are sent once, also with lost answers and a restarted agent', async () => {
    node.gateway.logAnswersToLose = 2;
    node.startAgent();
    await until('lines of both', () => messages().some((line) => line.startsWith('broker: broker is listening')));
    await node.endAgent('SIGKILL');
    node.startAgent();
    await until(
      'lines of the second agent',
      () => messages().filter((line) => line.includes('agent started')).length > 1,
    );

    const all = messages();
    expect(all.filter((line) => line.startsWith('agent: agent started'))).toHaveLength(2);
    expect(all.filter((line) => line.includes('broker is listening'))).toHaveLength(1);
  });
});
