import type { Landlord } from '@landlord/sdk';
import type { Places } from '../settings/places.js';
import { applyConfig } from './config-tools.js';
import type { ToolCall } from './tool.js';

interface Version {
  id: number;
  name: string;
  version: number;
  values: object;
}

const FIRST: Version = { id: 11, name: 'broker', version: 1, values: { limit: 1, tls: { password: '********' } } };
const WANTED = { limit: 2, tls: { password: 'new' } };

/** The requests for configurations of one deployment, as the API answers them. */
class Versions {
  readonly all = [FIRST];
  active = FIRST;
  creations = 0;
  tasks = 0;
  isBusy = false;
  afterCreation = (): void => undefined;
  private readonly answers = new Map<string, Version>();

  save(values: object): Version {
    const id = 11 + this.all.length;
    const made = {
      id,
      name: 'broker',
      version: id - 10,
      values: JSON.parse(JSON.stringify(values).replace('"new"', '"********"')) as object,
    };
    this.all.push(made);
    return made;
  }

  call(): ToolCall {
    const configs = {
      getPrimary: async () => this.active,
      get: async ({ config_id }: { config_id: number }) => this.all.find(({ id }) => id === config_id),
      create: async ({ values }: { values: object }, { idempotencyKey }: { idempotencyKey: string }) => {
        this.creations += 1;
        const made = this.answers.get(idempotencyKey) ?? this.save(values);
        this.answers.set(idempotencyKey, made);
        this.afterCreation();
        return made;
      },
      activate: async ({ version }: { version: string }) => {
        this.active = this.all.find((one) => String(one.version) === version) ?? this.active;
      },
      delete: async ({ config_id }: { config_id: number }) => {
        this.all.splice(
          this.all.findIndex(({ id }) => id === config_id),
          1,
        );
      },
    };
    const tasks = {
      create: async () => {
        if (this.isBusy) throw new TypeError('Another operation runs.');
        this.tasks += 1;
        return { operation: { id: 7 } };
      },
    };
    const places = { find: async () => ({ deployment_id: 5 }) } as unknown as Places;
    return { landlord: { configs, tasks } as unknown as Landlord, places, url: '', options: {} };
  }
}

const asked = (config_id: number, idempotency_key = 'the first key') => ({
  ...{ deployment: 'orders', config_id, values: WANTED, idempotency_key },
});
const versionsOf = ({ all, active, tasks }: Versions) => [all.map(({ id }) => id), active.id, tasks];

describe('A configuration that a model applies', () => {
  it('becomes the active one when the model has seen the active one, once for each key', async () => {
    const versions = new Versions();
    versions.isBusy = true;
    await expect(applyConfig(versions.call(), asked(11))).rejects.toThrow('Another operation runs.');
    versions.isBusy = false;

    expect(await applyConfig(versions.call(), asked(11))).toMatchObject({ config: { id: 12 }, operation_id: 7 });
    expect(versionsOf(versions)).toEqual([[11, 12], 12, 1]);
  });

  it('is refused, and nothing is saved, when another version is active', async () => {
    const versions = new Versions();
    versions.active = versions.save({ limit: 3 });

    const refused = applyConfig(versions.call(), asked(11));
    await expect(refused).rejects.toThrow('version 2 with the id 12, and the call has the config_id 11. Nothing');
    expect([versionsOf(versions), versions.creations]).toEqual([[[11, 12], 12, 0], 0]);
  });

  it('is refused when another version with the same values but for a secret is active', async () => {
    const versions = new Versions();
    versions.active = versions.save(WANTED);

    await expect(applyConfig(versions.call(), asked(11))).rejects.toThrow('Nothing was changed');
    expect(versionsOf(versions)).toEqual([[11, 12], 12, 0]);
  });

  it('is refused and removed when somebody activates another version at the same time', async () => {
    const versions = new Versions();
    const other = versions.save({ limit: 3 });
    versions.afterCreation = () => void (versions.active = other);

    await expect(applyConfig(versions.call(), asked(11))).rejects.toThrow('Nothing was changed');
    expect(versionsOf(versions)).toEqual([[11, 12], 12, 0]);
  });
});
