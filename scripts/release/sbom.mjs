// The parts of an artifact as CycloneDX 1.6. The same parts become the same bytes: no serial number, and the time of the commit.

/** `inside`: packages of the bundles, of npm unless they have a `purl`. `outside`: a lockfile, whose packages npm installs. */
export function sbomOf({ facts, name, inside, outside }) {
  const components = new Map();
  for (const one of inside) components.set(one.purl ?? purlOf(one), componentOf(one));
  for (const [path, { version, license, integrity }] of Object.entries(outside.packages)) {
    if (path === '') continue;
    const one = { name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version, license };
    components.set(purlOf(one), { ...componentOf(one), ...(integrity && { hashes: [hashOf(integrity)] }) });
  }
  const own = { name, version: facts.version, license: facts.license };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(facts.time * 1000).toISOString(),
      component: { ...componentOf(own), type: 'application' },
      properties: [{ name: 'landlord:commit', value: facts.commit }],
    },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  };
}

function componentOf({ name, version, license, purl = purlOf({ name, version }) }) {
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope && { group: scope }),
    name: rest,
    version,
    ...(license && { licenses: [licenceOf(license)] }),
    purl,
  };
}

/** An identifier of SPDX, an expression of them, or a text. */
const licenceOf = (license) =>
  /^[\w.+-]+$/.test(license)
    ? { license: license === 'UNLICENSED' ? { name: license } : { id: license } }
    : /^\(?[\w.+-]+ (?:OR|AND|WITH) /.test(license)
      ? { expression: license }
      : { license: { name: license } };

const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function hashOf(integrity) {
  const [algorithm, value] = integrity.split(' ')[0].split('-');
  const alg = algorithm.replace('sha', 'SHA-');
  return { alg, content: Buffer.from(value, 'base64').toString('hex') };
}
