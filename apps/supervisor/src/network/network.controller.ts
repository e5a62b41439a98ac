import { Get } from '@nestjs/common';
import { Actor, Reads, Routes, type ActingCaller } from '@libs/http';
import { NetworkInfoView } from './dto/network-info.view.js';
import { NetworkService } from './network.service.js';

@Routes('deployments/:deployment_id/network', 'Networking')
export class NetworkController {
  constructor(private readonly network: NetworkService) {}

  /** Reads the network of a deployment: addresses, ports and CIDR. */
  @Get('info')
  @Reads('deployment:network:read', NetworkInfoView)
  info(@Actor() actor: ActingCaller): Promise<NetworkInfoView> {
    return this.network.info(actor);
  }
}
