import { Module } from '@nestjs/common';
import { ConfigViews } from './config-views.js';
import { ConfigsController } from './configs.controller.js';
import { ConfigsService } from './configs.service.js';

@Module({ controllers: [ConfigsController], providers: [ConfigsService, ConfigViews] })
export class ConfigsModule {}
