// A page without another script.
import { stayWhileAway } from "./connection.js";

stayWhileAway();
