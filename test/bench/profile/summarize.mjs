// Sums up a CPU profile of V8: the share of the busy time of each part (a package, a folder of the project, a module of Node)
// and of each function.
import { readFileSync } from 'node:fs';

const NOT_BUSY = new Set(['(idle)', '(root)']);

/** `parts` and `functions`: names with their share of the busy time (self time), greatest first. */
export function summarizeProfile(file) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  const parts = new Map();
  const functions = new Map();
  let busy = 0;
  samples.forEach((id, index) => {
    const frame = byId.get(id);
    if (NOT_BUSY.has(frame.functionName)) return;
    const micros = timeDeltas[index] ?? 0;
    busy += micros;
    add(parts, partOf(frame), micros);
    add(functions, `${frame.functionName || '(anonymous)'} ${placeOf(frame)}`.trim(), micros);
  });
  const shares = (sums) =>
    [...sums].sort(([, a], [, b]) => b - a).map(([name, micros]) => ({ name, share: micros / busy }));
  return { parts: shares(parts), functions: shares(functions) };
}

const add = (sums, name, micros) => sums.set(name, (sums.get(name) ?? 0) + micros);

function partOf({ functionName, url }) {
  if (url === '') return functionName.startsWith('(') ? functionName : 'V8 and C++';
  if (url.startsWith('node:')) return url;
  const packaged = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(url)?.[1];
  if (packaged) return packaged;
  return /dist\/((?:apps|libs|packages)\/[^/]+(?:\/src\/[^/]+)?)/.exec(url)?.[1] ?? url;
}

const placeOf = ({ url, lineNumber }) =>
  url === '' ? '' : `${url.replace(/^.*\/(node_modules|dist)\//, '')}:${lineNumber + 1}`;
