/** The beginning of the paths of local disks on their instance. */
export const LOCAL_DISKS = '/dev/disk/by-id/nvme-Amazon_EC2_NVMe_Instance_Storage';

/** The path of a volume on its instance, by its serial number, which has no dash. */
export const volumeLink = (volumeId: string): string =>
  `/dev/disk/by-id/nvme-Amazon_Elastic_Block_Store_${volumeId.replace('-', '')}`;
