import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Actor, OfDeployment, RequirePermission, Returns, type ActingCaller } from '@libs/http';
import { NetworkInfoView } from './dto/network-info.view.js';
import { NetworkService } from './network.service.js';

@ApiTags('Networking')
@Controller('deployments/:deployment_id/network')
export class NetworkController {
  constructor(private readonly network: NetworkService) {}

  /** Reads the network of a deployment: addresses, ports and CIDR. */
  @Get('info')
  @RequirePermission('deployment:network:read')
  @OfDeployment()
  @Returns(NetworkInfoView)
  info(@Actor() actor: ActingCaller): Promise<NetworkInfoView> {
    return this.network.info(actor);
  }
}
