import type { Processor } from '@libs/domain';
import { CloudError } from '../../cloud-error.js';
import { imageQuery } from '../accounts/aws-image.js';
import type { AwsClients } from '../aws-clients.js';

const ARCHITECTURES = { arm64: 'arm64', x64: 'x86_64' } as const satisfies Record<Processor, string>;
/** A new release of an image may wait this long. */
const KNOWN_FOR_MS = 15 * 60_000;

export interface BootImage {
  id: string;
  /** The name of the root device, such as `/dev/xvda`. */
  root: string;
}

/** The boot images, by region and processor. */
export class NodeImages {
  private readonly known = new Map<string, BootImage & { until: number }>();

  /** @param image see AwsNodeSettings */
  constructor(private readonly image: string) {}

  /** The image for instances of the processor. @throws CloudError `invalid` when AWS has none */
  async find({ ec2 }: AwsClients, region: string, processor: Processor): Promise<BootImage> {
    const key = `${region} ${processor}`;
    const cached = this.known.get(key);
    if (cached && cached.until > performance.now()) return cached;
    const architecture = ARCHITECTURES[processor];
    const query = imageQuery(this.image, architecture);
    if (query === null) throw new CloudError({ code: 'invalid' }, `AWS_IMAGE is "${this.image}"`);
    const { Images = [] } = await ec2.describeImages(query);
    const usable = Images.filter(
      (one) => one.Architecture === architecture && (one.State ?? 'available') === 'available',
    );
    const [newest] = usable.sort((one, other) => (other.CreationDate ?? '').localeCompare(one.CreationDate ?? ''));
    if (!newest?.ImageId)
      throw new CloudError(
        { code: 'invalid' },
        `AWS has no image ${this.image} for ${architecture} in ${region}: set AWS_IMAGE`,
      );
    const image = { id: newest.ImageId, root: newest.RootDeviceName ?? '/dev/xvda' };
    this.known.set(key, { ...image, until: performance.now() + KNOWN_FOR_MS });
    return image;
  }
}
