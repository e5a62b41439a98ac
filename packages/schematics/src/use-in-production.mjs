/**
 * Moves packages from the devDependencies to the dependencies: an installation of Landlord does not have them until the
 * code of an app imports them.
 */
export function useInProduction(tree, context, names) {
  const manifest = JSON.parse(tree.read('package.json').toString());
  const moved = names.filter((name) => name in manifest.devDependencies);
  if (moved.length === 0) return;
  for (const name of moved) {
    manifest.dependencies[name] = manifest.devDependencies[name];
    delete manifest.devDependencies[name];
  }
  manifest.dependencies = Object.fromEntries(Object.entries(manifest.dependencies).sort(byName));
  tree.overwrite('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
  context.logger.info(
    `${moved.join(' and ')} are dependencies now. Run npm install to record it in package-lock.json.`,
  );
}

const byName = ([one], [other]) => (one < other ? -1 : 1);
