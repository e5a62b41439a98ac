// An image in one file: an OCI layout, which also has the manifest of `docker save`, so that every docker and podman loads it. The same files
// become the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.oci.image.config.v1+json';
const LAYER = 'application/vnd.oci.image.layer.v1.tar+gzip';
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' };

/** The architecture of images that this machine makes. */
export const ARCHITECTURE = ARCHITECTURES[process.arch];

/**
 * Writes the image `reference` into `file`. `layers`, from below: { title, folder, places }. All files belong to root, and other users can read
 * them, except `places`: empty folders with another { name, uid, mode }. `config`: the part of the same name of an image's configuration.
 */
export function writeArchive({ file, work, reference, layers, config, time }) {
  const layout = join(work, 'layout');
  mkdirSync(join(layout, 'blobs/sha256'), { recursive: true });
  const packed = layers.map((layer, index) => packLayer(layer, join(work, `layer-${index}.tar`), time));
  const blobs = packed.map(({ content }) => writeBlob(layout, content, LAYER));
  const created = new Date(time * 1000).toISOString();
  const image = {
    ...{ architecture: ARCHITECTURE, os: 'linux', created, config },
    rootfs: { type: 'layers', diff_ids: packed.map(({ diffId }) => diffId) },
    history: layers.map(({ title }) => ({ created, created_by: title })),
  };
  const described = writeBlob(layout, json(image), CONFIG);
  const manifest = writeBlob(
    layout,
    json({ schemaVersion: 2, mediaType: MANIFEST, config: described, layers: blobs }),
    MANIFEST,
  );
  const annotations = {
    'io.containerd.image.name': `docker.io/library/${reference}`,
    'org.opencontainers.image.ref.name': reference.split(':')[1],
  };
  writeFileSync(join(layout, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(join(layout, 'index.json'), json({ schemaVersion: 2, manifests: [{ ...manifest, annotations }] }));
  const path = ({ digest }) => `blobs/${digest.replace(':', '/')}`;
  writeFileSync(
    join(layout, 'manifest.json'),
    json([{ Config: path(described), RepoTags: [reference], Layers: blobs.map(path) }]),
  );
  pack(layout, file, time);
}

function packLayer({ folder, places = [] }, file, time) {
  pack(folder, file, time, places);
  for (const place of places) pack(folder, file, time, [], place);
  const tar = readFileSync(file);
  return { diffId: digestOf(tar), content: gzipSync(tar, { level: 6 }) };
}

/** A tar whose entries have one order, one time, one owner and the same modes under every umask. A `place` is appended to the file. */
function pack(folder, file, time, without = [], { name, uid = 0, mode = 'u=rwX,go=rX' } = {}) {
  const owner = [`--owner=${uid}`, `--group=${uid}`, '--numeric-owner', `--mode=${mode}`];
  const facts = [
    '--sort=name',
    `--mtime=@${time}`,
    '--format=gnu',
    ...owner,
    ...without.map((place) => `--exclude=./${place.name}`),
  ];
  execFileSync('tar', [
    ...facts,
    name === undefined ? '-cf' : '-rf',
    file,
    '-C',
    folder,
    name === undefined ? '.' : `./${name}`,
  ]);
}

function writeBlob(layout, content, mediaType) {
  const digest = digestOf(content);
  writeFileSync(join(layout, 'blobs', digest.replace(':', '/')), content);
  return { mediaType, digest, size: Buffer.byteLength(content) };
}

const digestOf = (content) => `sha256:${createHash('sha256').update(content).digest('hex')}`;
const json = (value) => JSON.stringify(value);
