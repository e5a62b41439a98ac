import { providesAsPromised } from '../../test/provider.contract.fixture.js';
import { localSetup } from '../../test/local-setup.fixture.js';

// All faults can be simulated: its account consists of files, and their connection can fail.
describe('the local cloud fulfils the contract of the port', () =>
  providesAsPromised({
    ...{ make: () => localSetup(), endAtOnce: ['node'], lacks: ['restored_volume', 'snapshot'] },
  }));
