// Sums up a CPU profile of V8 by owner: the package or the file of the project whose call used the time. The time of Node's
// own modules and of C++ belongs to the nearest caller that is a package or a file.
import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

const NOT_BUSY = new Set(['(idle)', '(root)']);

/** Owners with microseconds for each of `requests`, greatest first. */
export function summarizeProfile(file, requests) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, { ...node.callFrame, parent: null }]));
  for (const { id, children = [] } of nodes) for (const child of children) byId.get(child).parent = byId.get(id);
  const sums = new Map();
  samples.forEach((id, index) => {
    const frame = byId.get(id);
    if (NOT_BUSY.has(frame.functionName)) return;
    const owner = ownerOf(frame);
    sums.set(owner, (sums.get(owner) ?? 0) + (timeDeltas[index] ?? 0));
  });
  return [...sums].sort(([, a], [, b]) => b - a).map(([owner, micros]) => ({ owner, micros: micros / requests }));
}

/** The profile with the sources of the calls in place of the bundle. Developer tools of browsers show it as a flame graph. */
export function readableProfile(file) {
  const profile = JSON.parse(readFileSync(file, 'utf8'));
  for (const { callFrame } of profile.nodes) callFrame.url = sourceOf(callFrame);
  return profile;
}

function ownerOf(frame) {
  for (let at = frame; at; at = at.parent) {
    const owner = partOf(sourceOf(at));
    if (owner) return owner;
  }
  return frame.functionName.startsWith('(') ? frame.functionName : 'Node alone';
}

const maps = new Map();

/** The file of a call. A bundle has a source map, which names the file that the code comes from. */
function sourceOf({ url, lineNumber, columnNumber }) {
  if (!url.startsWith('file:')) return url;
  if (!maps.has(url)) maps.set(url, mapOf(`${fileURLToPath(url)}.map`));
  return maps.get(url)?.findEntry(lineNumber, columnNumber).originalSource ?? url;
}

const mapOf = (file) => (existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, 'utf8'))) : null);

function partOf(url) {
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1];
  if (packaged) return packaged;
  return /((?:apps|libs|packages)\/.*)/.exec(url)?.[1] ?? /test\/bench\/.*/.exec(url)?.[0];
}
