/** `nest g configuration`: the stock generator would write a second nest-cli.json. */
export const configuration =
  () =>
  (tree, { logger }) => {
    logger.info(
      'nest-cli.json is there. "npx --no nest g app" and "npx --no nest g library" add their projects to it.',
    );
    return tree;
  };

/** `nest g upgrade`: the stock generator leads from Nest 11 to 12. Here it would replace exact versions by ranges. */
export const upgrade =
  () =>
  (tree, { logger }) => {
    const { dependencies } = JSON.parse(tree.read('package.json').toString());
    const version = dependencies['@nestjs/core'];
    logger.info(`This repository has Nest ${version}. For a later one, change the versions in package.json.`);
    return tree;
  };
