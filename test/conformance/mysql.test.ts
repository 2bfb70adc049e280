import { playSuites } from './play-suites.js';

playSuites('mysql');
