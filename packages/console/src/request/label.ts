const WHOLE: Readonly<Record<string, string>> = {
  ...{ vpc: 'VPC', id: 'id', ids: 'ids', url: 'URL', cidr: 'CIDR', ip: 'IP', ips: 'IPs', aws: 'AWS', gcp: 'GCP' },
  ...{
    tcp: 'TCP',
    udp: 'UDP',
    http: 'HTTP',
    tls: 'TLS',
    az: 'zone',
    arn: 'ARN',
    nvme: 'NVMe',
    email: 'e-mail address',
  },
};

/** The name of a member in words: `settings.peer_vpc_id` is "Peer VPC id". */
export function labelOf(member: string): string {
  const words = (member.split('.').at(-1) ?? member).split('_').map((word) => WHOLE[word] ?? word);
  const text = words.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
