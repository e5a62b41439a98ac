import type { z } from 'zod';
import type { catalogSchema } from '../catalog.schema.js';

type Clouds = z.input<typeof catalogSchema>['clouds'];

const zones = (region: string, separator: string): string[] =>
  ['a', 'b', 'c'].map((zone) => `${region}${separator}${zone}`);
const aws = (key: string, name: string, area: Clouds['aws']['regions'][number]['area'], price_factor = '1') => ({
  key,
  name,
  area,
  available: true,
  zones: zones(key, ''),
  price_factor,
});
const gcp = (key: string, name: string, area: Clouds['gcp']['regions'][number]['area'], price_factor = '1') => ({
  key,
  name,
  area,
  available: true,
  zones: zones(key, '-'),
  price_factor,
});

export const CLOUD_REGIONS: Clouds = {
  aws: {
    name: 'Amazon Web Services',
    regions: [
      aws('us-east-1', 'US East (N. Virginia)', 'us'),
      aws('us-west-2', 'US West (Oregon)', 'us'),
      aws('eu-central-1', 'Europe (Frankfurt)', 'eu', '1.12'),
      aws('eu-west-1', 'Europe (Ireland)', 'eu', '1.08'),
      { ...aws('eu-north-1', 'Europe (Stockholm)', 'eu', '1.04'), without_storages: ['local_ssd'] },
      { ...aws('ca-central-1', 'Canada (Central)', 'ca', '1.1'), without_tiers: ['16xlarge'] },
      { ...aws('sa-east-1', 'South America (São Paulo)', 'sa', '1.55'), without_tiers: ['8xlarge', '16xlarge'] },
      aws('ap-southeast-1', 'Asia Pacific (Singapore)', 'ap', '1.18'),
      aws('ap-northeast-1', 'Asia Pacific (Tokyo)', 'ap', '1.22'),
    ],
  },
  gcp: {
    name: 'Google Cloud',
    regions: [
      gcp('us-central1', 'Iowa', 'us'),
      gcp('us-east1', 'South Carolina', 'us'),
      gcp('europe-west1', 'Belgium', 'eu', '1.07'),
      gcp('europe-west3', 'Frankfurt', 'eu', '1.14'),
      { ...gcp('northamerica-northeast1', 'Montréal', 'ca', '1.1'), without_tiers: ['16xlarge'] },
      { ...gcp('southamerica-east1', 'São Paulo', 'sa', '1.5'), without_storages: ['local_ssd'] },
      gcp('asia-southeast1', 'Singapore', 'ap', '1.17'),
      gcp('asia-northeast1', 'Tokyo', 'ap', '1.21'),
    ],
  },
};
