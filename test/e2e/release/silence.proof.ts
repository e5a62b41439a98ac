import { skippedSuite } from '@libs/testing';
import { Newcomer } from './newcomer.fixture.js';
import { NamespaceUnavailable, QuietNamespace } from './quiet-namespace.fixture.js';
import { describeRelease, type TestRelease } from './release.fixture.js';

const SERVER = 'node_modules/.bin/landlord-server';

const quiet = open();
const describeQuiet: typeof describeRelease =
  quiet instanceof QuietNamespace
    ? describeRelease
    : (name) => skippedSuite(quiet.message, 'Run it as root, with ip and nftables')(name, () => undefined);

function open(): QuietNamespace | NamespaceUnavailable {
  try {
    return QuietNamespace.open();
  } catch (error) {
    if (error instanceof NamespaceUnavailable) return error;
    throw error;
  }
}

/** README says: Landlord sends nothing to anybody. */
describeQuiet('Landlord on a machine whose network leads nowhere', (release: TestRelease) => {
  const namespace = quiet as QuietNamespace;
  let person: Newcomer;
  beforeAll(async () => {
    person = await Newcomer.withPackages(release.server);
  });
  afterAll(async () => {
    await person.leave();
    namespace.close();
  });

  it('sends no packet by start, deployment, message, doctor, deletion and stop', async () => {
    const landlord = await person.startsLandlord(namespace.inside([SERVER, 'start']));
    const demo = await person.succeeds(namespace.inside([SERVER, 'demo']));
    const diagnosis = await person.succeeds(namespace.inside([SERVER, 'doctor']));
    await landlord.pressCtrlC();

    expect(demo).toMatch(/message/i);
    expect(diagnosis).toMatch(/^ok +database/m);
    expect(landlord.output).toContain('Landlord has stopped.');
    expect(namespace.sent).toBe(0);
  });

  it('would be caught with one look-up of a name', async () => {
    const lookUp = `require('node:dns').lookup('registry.npmjs.org', () => undefined)`;

    await person.succeeds(namespace.inside(['node', '-e', lookUp]));

    expect(namespace.sent).toBeGreaterThan(0);
  });
});
