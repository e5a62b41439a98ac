import type { Image } from '@aws-sdk/client-ec2';

const IMAGE_ID = /^ami-[0-9a-f]{8,17}$/;
const OWNER_AND_NAME = /^(\d{12}|self|amazon|aws-marketplace)\/([\w()[\] ./'@*?-]{3,128})$/;

/** The image of AWS itself that nodes have by default. */
export const DEFAULT_AWS_IMAGE = '137112412989/al2023-ami-2023.*-{processor}';

/**
 * The question for an image, by its id or by `<owner>/<pattern of the name>` with `{processor}` for the architecture. Null for another
 * text. `architecture`: as AWS names it, or `*`.
 */
export function imageQuery(image: string, architecture = '*') {
  const text = image.replace('{processor}', architecture);
  if (IMAGE_ID.test(text)) return { ImageIds: [text] };
  const [, owner, name] = OWNER_AND_NAME.exec(text) ?? [];
  if (owner === undefined || name === undefined) return null;
  return { Owners: [owner], Filters: [{ Name: 'name', Values: [name] }] };
}

/** A small type of machine that can run the image. */
export const machineTypeFor = ({ Architecture }: Image): 't4g.micro' | 't3.micro' =>
  Architecture === 'arm64' ? 't4g.micro' : 't3.micro';
