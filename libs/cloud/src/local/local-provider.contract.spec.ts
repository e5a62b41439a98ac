import { providesAsPromised } from '../../test/provider.contract.fixture.js';
import { localSetup } from '../../test/local-setup.fixture.js';

// It can have every fault: its account are files, and a bad line to them can be played.
describe('the local cloud keeps the contract of the port', () => providesAsPromised({ make: () => localSetup() }));
