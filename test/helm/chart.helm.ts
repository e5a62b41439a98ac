import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteSkip, testAuthority } from '@libs/testing';
import { findProblems as mainApiProblems, MAIN_API_SETTINGS } from '../../apps/main-api/src/config.js';
import { findProblems as supervisorProblems, SUPERVISOR_SETTINGS } from '../../apps/supervisor/src/config.js';
import { launcherProblems } from '../../libs/launcher/src/config.js';
import { ROOT } from '../architecture/sources/sources.js';
import { findHelm, findValidator, run } from './programs.js';
import {
  CHART,
  manifestsIn,
  selectorOf,
  selects,
  template,
  workloadsIn,
  type Manifest,
  type Workload,
} from './rendered-chart.js';

/** The oldest release of Kubernetes that Chart.yaml accepts, and the newest one whose schemas are known. */
const RELEASES = ['1.29', '1.37'];
/** A setting of Node.js, in the example of a private authority. */
const NODE_SETTING = 'NODE_EXTRA_CA_CERTS';
const VERSION: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
const DIGEST = `sha256:${'0'.repeat(64)}`;
const PERMANENT = ['Deployment', 'StatefulSet'];

const helm = findHelm();
const validator = findValidator();
if (helm.missing !== null) noteSkip(`Helm is missing (${helm.missing})`, 'Install Helm, or Go');
if (validator.missing !== null)
  noteSkip(`kubernetes-validate is missing (${validator.missing})`, 'Install Python 3 and its venv module');

const examples = readdirSync(join(CHART, 'ci')).map((name) => ({
  name,
  values: ['--values', join(CHART, 'ci', name)],
}));
const cases = [{ name: 'the defaults', values: [] as string[] }, ...examples];

(helm.program === null ? describe.skip : describe)('The chart', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'landlord-helm-'));
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  /** The policy of the operator pod exists without this pod. */
  const isOfOperator = ({ metadata }: Manifest): boolean => metadata.name === 'landlord-operator';

  const rendered = (values: readonly string[]): { manifests: Manifest[]; workloads: Workload[]; output: string } => {
    const { status, output } = template(helm.program ?? '', values);
    expect(status === 0 ? '' : output).toBe('');
    const manifests = manifestsIn(output);
    expect(manifests.length).toBeGreaterThan(3);
    return { manifests, workloads: workloadsIn(manifests), output };
  };

  const itWithValidator = validator.program === null ? it.skip : it;

  describe.each(cases)('with $name', ({ values }) => {
    it('passes the lint of Helm', () => {
      const { status, output } = run(helm.program ?? '', ['lint', '--strict', CHART, ...values]);

      expect(status === 0 ? '' : output).toBe('');
    });

    itWithValidator.each(RELEASES)('conforms to the schemas of Kubernetes %s', (release) => {
      const file = join(directory, 'rendered.yaml');
      writeFileSync(file, rendered(values).output);
      const count = manifestsIn(rendered(values).output).length;

      const { status, output } = run(validator.program ?? '', ['--strict', '-k', release, file]);

      expect(status === 0 ? '' : output).toBe('');
      expect(output.match(/ passed for resource /g)).toHaveLength(count);
    });

    it('contains no secret, and gives each part its own database role', () => {
      const { manifests, workloads } = rendered(values);

      expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
      for (const { environment, pod } of workloads) {
        const url = environment['DATABASE_URL_FILE']?.split('/').at(-1);
        const { secret } = pod.volumes.find(({ name }: { name: string }) => name === 'secrets');
        const keys = secret.items.map(({ key }: { key: string }) => key);
        expect(keys.filter((key: string) => key.endsWith('-database-url'))).toEqual([url]);
        const files = Object.entries(environment).filter(([, value]) => value.startsWith('/run/secrets/landlord/'));
        expect(files.map(([, value]) => value.split('/').at(-1)).sort()).toEqual(keys.sort());
      }
    });

    it('runs every container without rights, with limits, and with probes where it serves', () => {
      for (const { kind, pod, container } of rendered(values).workloads) {
        expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 });
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.any(String) },
          limits: expect.any(Object),
        });
        const isServing = PERMANENT.includes(kind) && container.ports !== undefined;
        expect(['startupProbe', 'livenessProbe', 'readinessProbe'].every((probe) => probe in container)).toBe(
          isServing,
        );
      }
    });

    it('mounts what it declares', () => {
      for (const { pod, container, kind } of rendered(values).workloads) {
        const claimed = kind === 'StatefulSet' ? ['data'] : [];
        expect(namesOf(container.volumeMounts)).toEqual([...namesOf(pod.volumes), ...claimed].sort());
      }
    });

    it('leads each service, budget and policy to one part, and each port to a port of this part', () => {
      const { manifests, workloads } = rendered(values);
      const selecting = manifests.filter((manifest) => selectorOf(manifest) !== null && !isOfOperator(manifest));

      expect(selecting.length).toBeGreaterThan(0);
      for (const manifest of selecting) {
        const found = workloads.filter((workload) => selects(selectorOf(manifest) ?? {}, workload));
        expect([manifest.metadata.name, found.length]).toEqual([manifest.metadata.name, 1]);
        const ports = namesOf(found[0]?.container.ports);
        expect(ports).toEqual(expect.arrayContaining(portsOf(manifest)));
      }
    });

    it('gives each part settings that the part accepts', async () => {
      const { cert, key, caFile } = await testAuthority();
      const files: Record<string, string> = { 'tls.crt': cert, 'tls.key': key };
      for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
      const given = (value: string): string =>
        value.endsWith('ca.crt') ? caFile : value.replace('/run/secrets/gateway', directory);
      const secrets = {
        DATABASE_URL: 'postgres://landlord:secret@postgres:5432/landlord',
        LANDLORD_SECRET_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
      };

      for (const { name, environment, container } of rendered(values).workloads) {
        const plain = Object.entries(environment).filter(([variable]) => !variable.endsWith('_FILE'));
        const env = { ...Object.fromEntries(plain.map(([variable, value]) => [variable, given(value)])), ...secrets };
        const problems = { 'main-api': mainApiProblems, supervisor: supervisorProblems }[container.args?.[0] as string];
        expect([name, (problems ?? launcherProblems)(env)]).toEqual([name, []]);
        const known = Object.keys({ ...MAIN_API_SETTINGS.shape, ...SUPERVISOR_SETTINGS.shape });
        const names = [...known, NODE_SETTING];
        const unknown = Object.keys(environment).filter((variable) => !names.includes(variable.replace(/_FILE$/, '')));
        expect(unknown).toEqual([]);
      }
    });
  });

  it('runs the parts of a Supervisor apart when nodes run on machines, and in one pod when nodes are local', () => {
    const { workloads } = rendered(['--values', join(CHART, 'ci/mixed-values.yaml')]);

    expect(workloads.map(({ kind, name, environment }) => [kind, name, environment['LANDLORD_ROLE']]).sort()).toEqual([
      ['Deployment', 'landlord-eu-api', 'api'],
      ['Deployment', 'landlord-eu-gateway', 'gateway'],
      ['Deployment', 'landlord-eu-worker', 'worker'],
      ['Deployment', 'landlord-main-api', undefined],
      ['Job', 'landlord-migrate', undefined],
      ['StatefulSet', 'landlord-trial', undefined],
    ]);
  });

  it('gives each pod the extra volumes and variables of an installation', () => {
    const { workloads } = rendered(['--values', join(CHART, 'ci/machines-values.yaml')]);

    expect(workloads.length).toBeGreaterThan(7);
    for (const { name, pod, container, environment } of workloads) {
      expect([name, environment[NODE_SETTING]]).toEqual([name, '/etc/authority/ca.crt']);
      expect(pod.volumes).toContainEqual({ name: 'authority', configMap: { name: 'authority' } });
      expect(container.volumeMounts).toContainEqual({
        name: 'authority',
        mountPath: '/etc/authority',
        readOnly: true,
      });
    }
  });

  it.each([
    ['the version of the chart', [], `landlord:${VERSION}`],
    ['a tag', ['image.tag=next'], 'landlord:next'],
    ['a digest rather than a tag', ['image.tag=next', `image.digest=${DIGEST}`], `landlord@${DIGEST}`],
  ])('runs the image of %s', (_, settings, image) => {
    const { workloads } = rendered(settings.flatMap((one) => ['--set', one]));

    expect(new Set(workloads.map(({ container }) => container.image))).toEqual(new Set([image]));
  });

  it.each([
    [
      'a region without a gateway',
      'regions[0].driver=machines',
      'The region r with the driver machines needs agentUrl.',
    ],
    ['a region without regions', 'regions[0].regions=null', 'regions'],
    ['a misspelt key', 'mainApi.replica=2', 'replica'],
    ['half a digest', 'image.digest=sha256:12', 'digest'],
    ['a number as a setting', 'settings.RATE_LIMIT=600', 'RATE_LIMIT'],
  ])('refuses %s', (_, value, sentence) => {
    const region = '{"name":"r","regions":["*"],"publicUrl":"http://localhost:4000","driver":"local"}';
    const values = ['--set-json', `regions=[${region}]`, '--set', value];

    const { status, output } = template(helm.program ?? '', values);

    expect(status).not.toBe(0);
    expect(output).toContain(sentence);
  });
});

const namesOf = (list: { name: string }[] = []): string[] => list.map(({ name }) => name).sort();

/** The names of ports that a service or a policy leads to. */
function portsOf({ kind, spec }: Manifest): string[] {
  if (kind === 'Service') return spec.ports.map(({ targetPort }: { targetPort: string }) => targetPort);
  const rules: { ports: { port: string }[] }[] = kind === 'NetworkPolicy' ? spec.ingress : [];
  return rules.flatMap(({ ports }) => ports.map(({ port }) => port));
}
