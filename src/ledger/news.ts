export { type News, newsOf } from '../store/news.js'
