import { Module } from '@nestjs/common';
import { ChannelSenders } from './delivery/channel-senders.js';
import { ChannelSurrender } from './delivery/channel-surrender.js';
import { DeliveryGauges } from './delivery/delivery-gauges.js';
import { FanOut } from './delivery/fan-out.js';
import { LaneKeeper } from './delivery/lane-keeper.js';

/** What worker processes do for channels: handing events on, and delivering them. */
@Module({ providers: [ChannelSenders, ChannelSurrender, LaneKeeper, FanOut, DeliveryGauges] })
export class ChannelsWorkModule {}
