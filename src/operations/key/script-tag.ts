import { publicBase } from '../../config/own-hosts.ts'
import type { Box } from '../box.ts'

/** The tag that a page needs for forms and events. @param trackingKey `svc_tk_…` */
export const scriptTag = ({ config }: Pick<Box, 'config'>, domain: string, trackingKey: string): string =>
  `<script src="${publicBase(config, domain)}/_svc/v1.js" data-site-key="${trackingKey}" defer></script>`
