import { environmentTopic } from './environment.js'
import { exitCodesTopic } from './exit-codes.js'
import { formattingTopic } from './formatting.js'
import { statesTopic } from './states.js'
import type { Topic } from './topic.js'

export const TOPICS: readonly Topic[] = [exitCodesTopic, environmentTopic, formattingTopic, statesTopic]
