export { type News, newsOf, SILENT } from '../store/news.js'
