import scanners from './mail-scanners.json' with { type: 'json' }

/** All agents of the list in one pass over the header. */
const scannerPattern = new RegExp(scanners.agents.map((agent) => RegExp.escape(agent)).join('|'), 'i')

/** Whether the agent is on the list of link scanners, mail gateways, previewers and HTTP libraries. */
export const isScannerAgent = (userAgent: string): boolean => scannerPattern.test(userAgent)
