import { playStory } from '../clouds/play-story.js';
import { AWS_WORLD_WAIT_MS, AwsWorld, describeWithAws } from './aws-world.js';

describeWithAws('A new user of the driver aws', () => {
  playStory({
    driver: 'aws',
    start: () => AwsWorld.start(),
    waitMs: AWS_WORLD_WAIT_MS,
    demo: [],
    facts: ({ moto, proxy }) => ({ 'emulator of AWS': moto.endpoint, 'proxy with faults': proxy.endpoint }),
  });
});
