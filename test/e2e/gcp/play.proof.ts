import { playStory } from '../clouds/play-story.js';
import { describeWithHosts } from '../machines/hosts/host-world.js';
import { GCP_WORLD_WAIT_MS, GcpWorld } from './gcp-world.js';

describeWithHosts('A new user of the driver gcp', () => {
  playStory({
    driver: 'gcp',
    start: () => GcpWorld.start(),
    waitMs: GCP_WORLD_WAIT_MS,
    demo: ['--cloud', 'gcp'],
    facts: ({ google }) => ({ 'fake of Google': google.endpoint }),
  });
});
