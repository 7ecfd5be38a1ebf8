// The words of guarded execution that the ledger's verbs take and give. The library hands them on from here, so that it
// knows the ledger and not what the ledger is made of.
export type { Previous } from '../execute/announce.js'
export type { IdAbout } from '../execute/external-id.js'
export type { Handler, HandlerContext } from '../execute/handler.js'
export type { Hold } from '../execute/heartbeat.js'
export type { Standing } from '../execute/standing.js'
export type { Failure, Held, Receipt, Told } from '../execute/tell.js'
