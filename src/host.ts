// The machine we run on: below the command line the only place that knows a clock, an environment or a process.
export { type Actor, findActor } from './host/actor.js'
export { monotonicMs, systemClock } from './host/clock.js'
export { isOwnerGone, isRunning, isSameProcess, ownerOf, ownerWithoutProcess } from './host/owner.js'
export { signalGroup } from './host/signal-group.js'
export { stateFolder } from './host/state-folder.js'
export { surroundings } from './host/surroundings.js'
