// npm run release:version -- <version>: writes the version of the next release into package.json and into every copy. Exit code 2: no version.
import { setVersion, VERSION } from './versions.mjs';

const [version = ''] = process.argv.slice(2);
if (!new RegExp(`^${VERSION.source}$`).test(version)) {
  console.error(`"${version}" is not a version. Write three numbers, for example 1.2.3 or 1.2.3-rc.1.`);
  process.exit(2);
}
for (const path of setVersion(version)) console.log(path);
