// The cloud process as a driver of a Supervisor.
import { CLOUD_FEATURES } from '../../../dist/libs/cloud/src/index.js';

export class RemoteCloud {
  driver = 'local';
  features = CLOUD_FEATURES.local;
  addresses = 'this_machine';
  hasSnapshots = false;
  hasOneInventory = true;

  constructor(port) {
    this.url = `http://127.0.0.1:${port}/`;
  }

  ensure(kind, ref, spec, tags, signal) {
    return this.#call('ensure', [kind, ref, spec, tags], signal);
  }

  async describe(kind, refs, signal) {
    return new Map(await this.#call('describe', [kind, refs], signal));
  }

  async destroy(kind, ref, signal) {
    await this.#call('destroy', [kind, ref], signal);
  }

  inventory(at, tags, cursor, signal) {
    return this.#call('inventory', [at, tags, cursor], signal);
  }

  validateAccount(account, signal) {
    return this.#call('validateAccount', [account], signal);
  }

  async #call(call, values, signal) {
    const response = await fetch(this.url, { method: 'POST', body: JSON.stringify({ call, values }), signal });
    if (!response.ok) throw new Error(`the cloud process refuses ${call}: ${await response.text()}`);
    return response.json();
  }
}
